// SPDX-License-Identifier: Apache-2.0
// SystemC's library refers to sc_main even where nobody calls it; whatever links the library must show one.
extern "C" __attribute__((visibility("default"))) int sc_main(int, char**) { return 0; }
