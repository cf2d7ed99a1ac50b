// SPDX-License-Identifier: Apache-2.0
// The inner loops of the LDPC decoder. On x86, each loop is compiled for AVX-512, AVX2 and SSE2, and the best version
// is selected when the program starts. All versions give bit-identical results.
//
// The belief about a bit is a log-likelihood ratio, stored in one byte. It is negative if 1 is more likely than 0. The
// array of a column's beliefs is rotated: it begins with the bit with which the last updated row of blocks began, so
// that this row could store its results in order. The first beliefs of the array are repeated after its end. Thus the
// next row, which begins with another bit, can also load whole vectors.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ecc/ldpc/ldpc_code.h"

namespace nandscape::ecc::ldpc {

// A belief is the sum of the prior, which is limited to most_prior, and one message from each check of the bit. A bit
// has at most most_blocks_of_column checks. The limits are chosen so that every sum fits into a byte and no saturating
// operation is needed.
inline constexpr std::int8_t most_message = 24;
inline constexpr std::int8_t most_prior = 127 - static_cast<std::int8_t>(most_blocks_of_column) * most_message;

inline constexpr std::size_t repeated_beliefs = 64;

struct Layer {
  const LdpcCode::Edge* edges = nullptr;
  std::uint32_t degree = 0;
  std::uint32_t lifting = 0;
  std::int8_t* beliefs = nullptr;      // for each column, `lifting` + repeated_beliefs bytes
  std::uint32_t* rotations = nullptr;  // for each column, the number of the bit at the beginning of its beliefs
  std::int8_t* messages = nullptr;     // messages sent by the checks of this layer, `lifting` for each edge
};

// Updates the beliefs with the minimum-sum algorithm. A check sends to each of its bits the smallest belief of its
// other bits. The value is scaled by 3/4, because minimum-sum overestimates the result of the exact sum-product
// algorithm. If `first` is true, the layer has sent no messages yet, and the old contents of the message array are
// ignored.
void update_layer(const Layer& layer, bool first);

// Returns true if the signs of the beliefs satisfy all checks of the layer.
bool layer_holds(const Layer& layer);

// Pointers to the functions above, or to their versions for a particular instruction set.
struct DecoderKernels {
  decltype(&ldpc::update_layer) update_layer;
  decltype(&ldpc::layer_holds) layer_holds;
};
inline constexpr DecoderKernels dispatched_kernels = {&update_layer, &layer_holds};

}  // namespace nandscape::ecc::ldpc
