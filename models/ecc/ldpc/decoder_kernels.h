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

namespace nandscape::ldpc {

// Beliefs, messages from checks, and those to checks, which lack one message in a belief, all fit a byte: no operation
// needs to saturate but the sum that makes a belief.
inline constexpr std::int8_t most_message = 31;
inline constexpr std::int8_t most_belief = 127 - 2 * most_message;

inline constexpr std::size_t repeated_beliefs = 64;

struct Layer {
  const LdpcCode::Edge* edges = nullptr;
  std::uint32_t degree = 0;
  std::uint32_t lifting = 0;
  std::int8_t* beliefs = nullptr;      // lifting + repeated_beliefs for each column
  std::uint32_t* rotations = nullptr;  // of each column: its first belief is that about this bit of it
  std::int8_t* messages = nullptr;     // `lifting` for each edge, from the checks of this layer
};

// Minimum-sum: a check tells each of its bits the least belief in its other bits, scaled down, for it overstates what
// the sum-product algorithm would say. `first` when the layer has sent no messages yet, whatever the array holds.
void update_layer(const Layer& layer, bool first);

// Whether the signs of the beliefs satisfy all checks of the layer.
bool layer_holds(const Layer& layer);

}  // namespace nandscape::ldpc
