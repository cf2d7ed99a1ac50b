// SPDX-License-Identifier: Apache-2.0
// The kernels of ecc/ldpc/decoder_kernels.h, each compiled separately for every instruction set. Tests and benchmarks
// compare their results and their speed with the library's functions, which select the instruction set at run time.
#pragma once

#include <string_view>
#include <vector>

#include "ecc/ldpc/decoder_kernels.h"

namespace nandscape {

struct LdpcKernels {
  std::string_view isa;
  ecc::ldpc::DecoderKernels kernels;
};

// Returns the library's own functions, followed by the variants for each instruction set of this machine.
std::vector<LdpcKernels> ldpc_kernels_by_isa();

}  // namespace nandscape
