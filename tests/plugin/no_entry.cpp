// SPDX-License-Identifier: Apache-2.0
// A shared library that is not a plug-in.
extern "C" __attribute__((visibility("default"))) int another_function() { return 0; }
