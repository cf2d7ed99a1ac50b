// SPDX-License-Identifier: Apache-2.0
// The inner loops of the decoder. On x86 each is compiled for AVX-512, AVX2 and SSE2, and the best is chosen when the
// program starts. All of them give bit-identical results.
//
// Beliefs about bits are log-likelihood ratios in bytes, negative if 1 is more likely. The beliefs of a column of
// blocks have the rotation of the row of blocks that updated them last, so that the row could store them in order. The
// first beliefs are repeated after the last one, so that the next row can load them in order from any rotation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ecc/ldpc/ldpc_code.h"

namespace nandscape::ecc::ldpc {

// A belief is the sum of the prior, at most most_prior, and one message from each check of the bit. A bit has at most
// most_blocks_of_column checks. All values fit into a byte, so no operation needs to saturate.
inline constexpr std::int8_t most_message = 24;
inline constexpr std::int8_t most_prior = 127 - static_cast<std::int8_t>(most_blocks_of_column) * most_message;

inline constexpr std::size_t repeated_beliefs = 64;

struct Layer {
  const LdpcCode::Edge* edges = nullptr;
  std::uint32_t degree = 0;
  std::uint32_t lifting = 0;
  std::int8_t* beliefs = nullptr;      // lifting + repeated_beliefs for each column
  std::uint32_t* rotations = nullptr;  // by column: the bit that its first belief is about
  std::int8_t* messages = nullptr;     // from the checks of this layer, `lifting` for each edge
};

// Minimum-sum: a check sends to each of its bits the least belief of its other bits, scaled by 3/4, since minimum-sum
// overestimates the result of the sum-product algorithm. If `first`, the layer has sent no messages yet and the message
// array is ignored.
void update_layer(const Layer& layer, bool first);

// Whether the signs of the beliefs satisfy all checks of the layer.
bool layer_holds(const Layer& layer);

// The functions above, or their versions for one instruction set.
struct DecoderKernels {
  decltype(&ldpc::update_layer) update_layer;
  decltype(&ldpc::layer_holds) layer_holds;
};
inline constexpr DecoderKernels dispatched_kernels = {&update_layer, &layer_holds};

}  // namespace nandscape::ecc::ldpc
