// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/recent_steps.h"

#include <algorithm>

namespace nandscape::controller {

std::uint8_t RecentSteps::likely(Superblock block, std::uint32_t layer) const {
  const std::uint8_t* const known = steps_[block].get();
  if (known == nullptr) return 0;
  for (std::uint32_t distance = 0; distance < layers_; ++distance) {
    if (layer >= distance && known[layer - distance] != unknown) return known[layer - distance];
    if (layer + distance < layers_ && known[layer + distance] != unknown) return known[layer + distance];
  }
  return 0;
}

void RecentSteps::succeeded(Superblock block, std::uint32_t layer, std::uint8_t step) {
  auto& known = steps_[block];
  if (known == nullptr) {
    known = std::make_unique_for_overwrite<std::uint8_t[]>(layers_);
    std::fill_n(known.get(), layers_, unknown);
  }
  known[layer] = step;
}

void RecentSteps::persist(Archive& archive, std::uint32_t most) {
  archive.section("recent read-retry steps");
  archive.expect("layers", layers_);
  archive.expect("blocks", steps_.size());
  for (auto& known : steps_) {
    archive.array_or_none(known, layers_);
    const std::uint32_t layers = known == nullptr ? 0 : layers_;
    for (std::uint32_t k = 0; k < layers; ++k) {
      archive.require(known[k] == unknown || known[k] <= most, "a retry step is not in the table of the die");
    }
  }
}

}  // namespace nandscape::controller
