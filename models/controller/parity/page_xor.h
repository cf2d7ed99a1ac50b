// SPDX-License-Identifier: Apache-2.0
// The sum (exclusive or) of pages as stored on flash. Codes are linear: the sum of codewords is a codeword.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace nandscape::controller {

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
