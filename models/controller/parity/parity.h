// SPDX-License-Identifier: Apache-2.0
// Parameters and statistics of `controller.parity`, and functions that add pages by exclusive or.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/parameters.h"
#include "core/statistics.h"

namespace nandscape::controller {

struct ParityParameters {
  std::uint32_t stripe_dies = 0;
};
void describe(ParityParameters& p, ParameterVisitor& v);

struct ParityCounters {
  std::uint64_t parity_pages = 0;
  std::uint64_t rebuilds = 0;
  std::uint64_t failed_rebuilds = 0;
};
void describe(const ParityCounters& counters, StatisticsVisitor& visitor);

// Adds a page, as stored on flash, to `sum` by exclusive or. All codes are linear, so the sum of codewords is a
// codeword.
inline void add_bytes(std::byte* sum, const std::byte* page, std::size_t bytes) {
  std::size_t at = 0;
  for (std::uint64_t a, b; at + sizeof a <= bytes; at += sizeof a) {
    std::memcpy(&a, sum + at, sizeof a);
    std::memcpy(&b, page + at, sizeof b);
    a ^= b;
    std::memcpy(sum + at, &a, sizeof a);
  }
  for (; at < bytes; ++at) sum[at] ^= page[at];
}

inline void add_tag(std::span<std::uint64_t> sum, std::span<const std::uint64_t> tag) {
  for (std::size_t word = 0; word < tag.size(); ++word) sum[word] ^= tag[word];
}

}  // namespace nandscape::controller
