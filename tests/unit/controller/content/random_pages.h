// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/random.h"

namespace nandscape::controller {

// Random bytes with more bits set than clear.
inline std::vector<std::byte> random_page(std::size_t bytes, std::uint64_t seed) {
  RandomStream random(seed, "page");
  std::vector<std::byte> page(bytes);
  for (std::byte& byte : page) byte = static_cast<std::byte>(random() | (random() & 0x11));
  return page;
}

}  // namespace nandscape::controller
