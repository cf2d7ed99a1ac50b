// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/random.h"

namespace nandscape::controller {

// Returns a page of random bytes in which more bits are 1 than 0.
inline std::vector<std::byte> random_page(std::size_t bytes, std::uint64_t seed) {
  RandomStream random(seed, "page");
  std::vector<std::byte> page(bytes);
  for (std::byte& byte : page) byte = static_cast<std::byte>(random() | (random() & 0x11));
  return page;
}

}  // namespace nandscape::controller
