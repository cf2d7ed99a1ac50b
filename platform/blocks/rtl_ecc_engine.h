// SPDX-License-Identifier: Apache-2.0
// The ECC engine whose encoder and decoder are the designs of models/rtl/blocks, as Verilator compiles them. It runs in
// events of the calendar: a design is clocked as a job begins, and the job ends so many clock cycles later.
//
// Wires carry bytes and no error counts, seeds or tags: it takes `ecc.decoder: bit_true`, `simulation.data: stored`,
// and the one code that the designs know, BCH of 72 errors in 1024 bytes. Its registers are in no checkpoint.
#pragma once

#include "platform/blocks/ecc_engine_block.h"

namespace nandscape {

// As the kind `rtl`.
void add_rtl_engine(EccEngineBlocks& blocks);

}  // namespace nandscape
