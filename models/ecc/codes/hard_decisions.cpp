// SPDX-License-Identifier: Apache-2.0
#include "ecc/codes/hard_decisions.h"

#include <algorithm>

namespace nandscape::ecc {

void decide_by_signs(std::span<const std::int8_t> llr, std::byte* bits) {
  for (std::size_t first = 0; first < llr.size(); first += 8) {
    std::uint32_t byte = 0;
    for (std::size_t i = first; i < std::min(first + 8, llr.size()); ++i) {
      byte |= static_cast<std::uint32_t>(llr[i] > 0) << i % 8;
    }
    bits[first / 8] = static_cast<std::byte>(byte);
  }
}

}  // namespace nandscape::ecc
