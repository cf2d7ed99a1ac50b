// SPDX-License-Identifier: Apache-2.0
// Debian's SystemC library refers to sc_main without defining it. This file is linked as an object into every program
// and extension, since the linker would not take it from an archive.
extern "C" __attribute__((visibility("default"))) int sc_main(int, char**) { return 0; }
