// SPDX-License-Identifier: Apache-2.0
// Defines sc_main, because Debian's SystemC library refers to it without defining it. This file is linked as an object
// file into every program and extension, since the linker would not extract it from an archive.
extern "C" __attribute__((visibility("default"))) int sc_main(int, char**) { return 0; }
