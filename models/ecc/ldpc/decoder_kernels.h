// SPDX-License-Identifier: Apache-2.0
// The inner loops of the decoder: on x86 each is compiled for AVX-512, AVX2 and SSE2, and the best is chosen when the
// program starts. Results are the same bits on all of them.
//
// Beliefs about bits are log-likelihood ratios in bytes, negative where a bit is rather 1. Those of a column of blocks
// lie rotated as the row of blocks that updated them last had them, so that this one could store them in order; behind
// the last the first ones are repeated, so that the next one can load them from any rotation on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ecc/ldpc/ldpc_code.h"

namespace nandscape::ecc::ldpc {

// A belief is the sum of what was read, at most most_prior, and messages from as many checks as look at the bit, at
// most most_blocks_of_column. So all fits a byte, and no operation needs to saturate.
inline constexpr std::int8_t most_message = 24;
inline constexpr std::int8_t most_prior = 127 - static_cast<std::int8_t>(most_blocks_of_column) * most_message;

inline constexpr std::size_t repeated_beliefs = 64;

struct Layer {
  const LdpcCode::Edge* edges = nullptr;
  std::uint32_t degree = 0;
  std::uint32_t lifting = 0;
  std::int8_t* beliefs = nullptr;      // lifting + repeated_beliefs for each column
  std::uint32_t* rotations = nullptr;  // of each column: its first belief is that about this bit of it
  std::int8_t* messages = nullptr;     // `lifting` for each edge, from the checks of this layer
};

// Minimum-sum: a check tells each of its bits the least belief in its other bits, three quarters of it, for it
// overstates what the sum-product algorithm would say. `first` when the layer has sent no messages yet, whatever the
// array holds.
void update_layer(const Layer& layer, bool first);

// Whether the signs of the beliefs satisfy all checks of the layer.
bool layer_holds(const Layer& layer);

// Those above, or others of one instruction set.
struct DecoderKernels {
  decltype(&ldpc::update_layer) update_layer;
  decltype(&ldpc::layer_holds) layer_holds;
};
inline constexpr DecoderKernels dispatched_kernels = {&update_layer, &layer_holds};

}  // namespace nandscape::ecc::ldpc
