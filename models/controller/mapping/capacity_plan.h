// SPDX-License-Identifier: Apache-2.0
// How much a plane may hold, so that collection always makes progress: the arithmetic that the configuration is checked
// with, that says what the drive exports, and what it may write when blocks have failed.
#pragma once

#include <cstdint>

#include "controller/addresses/flash_layout.h"
#include "controller/mapping/parameters.h"

namespace nandscape::controller {

// Who takes blocks of a plane besides the data at rest.
struct BlockDemands {
  std::uint64_t start_free_blocks = 0;  // below which collection begins
  std::uint64_t reserved_blocks = 0;    // that collection alone may write to
  std::uint64_t streams = 0;            // with a block open on each plane
  bool keeps_lasting = false;           // one more is open for data that are there to stay
  std::uint64_t journal_blocks = 0;     // of the journal of trims, on whatever plane
};

class CapacityPlan {
 public:
  // Throws ConfigError unless what the host may write leaves every plane room for the blocks being written, the
  // reserve, translation pages, and enough invalid pages to gain from.
  CapacityPlan(const MappingParameters& mapping, const FlashLayout& layout, const BlockDemands& demands);

  // Over-provisioning as collection finds it: (room - valid data) / valid data of the full blocks. Free and open blocks
  // hold nothing to collect, though their flash is part of controller.mapping.over_provisioning. It holds for random
  // writes over the whole capacity that leave collection time to keep start_free_blocks free.
  double effective_over_provisioning() const { return effective_over_provisioning_; }

  // Mapping units that the device exports, and those of the mapping itself, where that is on flash.
  std::uint64_t exported_units() const { return exported_; }
  std::uint64_t translation_pages() const { return translation_pages_; }
  // A plane of so many good blocks may hold as much as leaves it room to collect, and for what is not the host's.
  std::uint64_t of_plane(std::uint64_t good_blocks) const {
    return good_blocks > kept_back_ ? (good_blocks - kept_back_) * collectable_units_ : 0;
  }
  // The journal of trims may come to any plane.
  std::uint64_t of_journal() const { return journal_blocks_ * collectable_units_; }

 private:
  // What each of several blocks may hold, on average, so that collection always finds one of them from which it gains a
  // page of the flash. A block with fewer invalid units than a page holds gains none.
  const std::uint64_t collectable_units_;
  std::uint64_t exported_ = 0;
  std::uint64_t translation_pages_ = 0;
  double effective_over_provisioning_ = 0;
  const std::uint64_t kept_back_;
  const std::uint64_t journal_blocks_;
};

}  // namespace nandscape::controller
