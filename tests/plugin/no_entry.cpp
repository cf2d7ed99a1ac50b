// SPDX-License-Identifier: Apache-2.0
// A shared library that is not a plug-in, because it does not export the plug-in's entry function.
extern "C" __attribute__((visibility("default"))) int another_function() { return 0; }
