// SPDX-License-Identifier: Apache-2.0
// Calculates how many units a plane may hold so that collection always makes progress. The plan checks the
// configuration, determines the exported capacity, and determines how many units a plane may still hold after some of
// its blocks have failed.
#pragma once

#include <cstdint>

#include "controller/addresses/flash_layout.h"
#include "controller/mapping/parameters.h"

namespace nandscape::controller {

// The numbers of blocks of a plane that cannot hold data permanently.
struct BlockDemands {
  std::uint64_t start_free_blocks = 0;  // collection begins below this number
  std::uint64_t reserved_blocks = 0;    // only collection may write to these
  std::uint64_t streams = 0;            // each stream has an open block on each plane
  bool keeps_lasting = false;           // whether another block is open for long-lived data
  std::uint64_t cache_blocks = 0;       // blocks of the SLC cache
  std::uint64_t journal_blocks = 0;     // blocks of the journal of trims, on any plane
  // The units of a wordline of each member of a block, if the data moved out of each block may be padded to wordlines,
  // else 0. With two passes, those of two wordlines.
  std::uint64_t padded_units = 0;
};

class CapacityPlan {
 public:
  // Throws ConfigError if the data that the host may write leave too little room on a plane. Each plane needs room for
  // open blocks, the reserve, translation pages, and enough invalid pages for collection to gain space.
  CapacityPlan(const MappingParameters& mapping, const FlashLayout& layout, const BlockDemands& demands);

  // The over-provisioning that collection can use: (room - valid data) / valid data, counted over the full blocks. The
  // key controller.mapping.over_provisioning also counts free and open blocks, which cannot be collected. The value is
  // valid for random writes to the whole capacity, if the load leaves collection enough time to keep start_free_blocks
  // blocks free.
  double effective_over_provisioning() const { return effective_over_provisioning_; }

  // The numbers of mapping units that the device exports and, if a part of the mapping is on flash, of translation
  // pages.
  std::uint64_t exported_units() const { return exported_; }
  std::uint64_t translation_pages() const { return translation_pages_; }
  // The number of units that a plane of `good_blocks` good blocks may hold. The remaining room is left for collection
  // and for data other than the host's.
  std::uint64_t of_plane(std::uint64_t good_blocks) const {
    return good_blocks > kept_back_ ? (good_blocks - kept_back_) * collectable_units_ : 0;
  }
  // The number of units that would fit into the blocks of the journal of trims, which may be on any plane.
  std::uint64_t of_journal() const { return journal_blocks_ * collectable_units_; }

 private:
  // The average number of units that a block may hold so that collection always finds a block whose collection gains a
  // flash page. A block gains a page only if it has at least as many invalid units as a flash page holds. If its data
  // are padded to wordlines, it must have as many invalid units as padding may take.
  const std::uint64_t collectable_units_;
  std::uint64_t exported_ = 0;
  std::uint64_t translation_pages_ = 0;
  double effective_over_provisioning_ = 0;
  const std::uint64_t kept_back_;
  const std::uint64_t journal_blocks_;
};

}  // namespace nandscape::controller
