// SPDX-License-Identifier: Apache-2.0
// Debian's SystemC library refers to sc_main without having one. Linked as an object into every program and extension:
// out of an archive the linker would not take it.
extern "C" __attribute__((visibility("default"))) int sc_main(int, char**) { return 0; }
