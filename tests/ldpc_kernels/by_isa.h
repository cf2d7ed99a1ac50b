// SPDX-License-Identifier: Apache-2.0
// The kernels of ecc/ldpc/decoder_kernels.h compiled for one instruction set at a time, to compare their results and
// their speed with those of the functions that choose for themselves.
#pragma once

#include <string_view>
#include <vector>

#include "ecc/ldpc/decoder_kernels.h"

namespace nandscape {

struct LdpcKernels {
  std::string_view isa;
  ecc::ldpc::DecoderKernels kernels;
};

// The library's own functions first, then those for each instruction set that this machine has.
std::vector<LdpcKernels> ldpc_kernels_by_isa();

}  // namespace nandscape
