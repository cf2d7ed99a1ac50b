// SPDX-License-Identifier: Apache-2.0
// The fill of a preconditioned device with fullpages: `percent` of each hundred groups of four slots are fullpages.
#pragma once

#include "controller/fullpages/fullpage_pattern.h"
#include "controller/mapping/initial_fill.h"

namespace nandscape::controller {

class FullpageFill final : public FillPattern {
 public:
  FullpageFill(std::uint32_t percent, const FullpagePattern& pattern) : percent_(percent), pattern_(pattern) {}

  std::uint64_t patterned(std::uint64_t slots) const override {
    return layer_quarters * before(slots / layer_quarters);
  }

  // Group n is a fullpage if before(n + 1) is one more than before(n).
  std::uint64_t rank_of(std::uint64_t slot, std::uint64_t slots) const override {
    const std::uint64_t group = slot / layer_quarters;
    const std::uint64_t fullpages = before(slots / layer_quarters);
    if (fullpages == 0 || group >= slots / layer_quarters) return slot;
    const bool fullpage = before(group + 1) != before(group);
    return layer_quarters * (fullpage ? before(group) : fullpages + group - before(group)) + slot % layer_quarters;
  }

  std::uint64_t slot_of(std::uint64_t rank, std::uint64_t slots) const override {
    std::uint64_t group = rank / layer_quarters;
    const std::uint64_t fullpages = before(slots / layer_quarters);
    if (fullpages == 0 || group >= slots / layer_quarters) return rank;
    if (group < fullpages) {
      group = ((group + 1) * 100 + percent_ - 1) / percent_ - 1;
    } else {
      group = (group - fullpages) * 100 / (100 - percent_);
    }
    return layer_quarters * group + rank % layer_quarters;
  }

  std::uint32_t place_of(std::uint32_t k) const override { return pattern_.place_of(k); }
  std::uint32_t at(std::uint32_t place) const override { return pattern_.at(place); }

 private:
  // The number of fullpages among the first `groups` groups.
  std::uint64_t before(std::uint64_t groups) const { return groups * percent_ / 100; }

  const std::uint32_t percent_;
  const FullpagePattern pattern_;
};

}  // namespace nandscape::controller
