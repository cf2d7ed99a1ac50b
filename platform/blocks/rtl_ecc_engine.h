// SPDX-License-Identifier: Apache-2.0
// An ECC engine whose encoder and decoder are the designs of models/rtl/blocks, compiled by Verilator. It runs in
// calendar events: a design is clocked when a job begins, and the job ends after the clock cycles that the design took.
//
// The wires of the designs carry bytes, but no error counts, seeds or tags. The engine therefore requires `ecc.decoder:
// bit_true`, `simulation.data: stored`, and the one code of the designs, BCH with 72 errors in 1024 bytes. Checkpoints
// do not include its registers.
#pragma once

#include "platform/blocks/ecc_engine_block.h"

namespace nandscape {

// Registers the kind `rtl`.
void add_rtl_engine(EccEngineBlocks& blocks);

}  // namespace nandscape
