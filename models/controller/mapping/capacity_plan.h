// SPDX-License-Identifier: Apache-2.0
// Calculates how much a plane may hold so that collection always makes progress. The plan checks the configuration,
// gives the exported capacity, and gives the number of units that a plane may still hold after blocks have failed.
#pragma once

#include <cstdint>

#include "controller/addresses/flash_layout.h"
#include "controller/mapping/parameters.h"

namespace nandscape::controller {

// Blocks of a plane that are not available for data at rest.
struct BlockDemands {
  std::uint64_t start_free_blocks = 0;  // collection begins below this number
  std::uint64_t reserved_blocks = 0;    // only collection may write to these
  std::uint64_t streams = 0;            // each has a block open on each plane
  bool keeps_lasting = false;           // one more block is open for long-lived data
  std::uint64_t journal_blocks = 0;     // blocks of the journal of trims, on any plane
};

class CapacityPlan {
 public:
  // Throws ConfigError unless the data that the host may write leave room on every plane: for open blocks, the reserve,
  // translation pages, and enough invalid pages for collection to gain from.
  CapacityPlan(const MappingParameters& mapping, const FlashLayout& layout, const BlockDemands& demands);

  // Over-provisioning as collection sees it: (room - valid data) / valid data, over the full blocks. Free and open
  // blocks cannot be collected, though controller.mapping.over_provisioning includes them. Valid for random writes over
  // the whole capacity, if the load leaves collection enough time to keep start_free_blocks free.
  double effective_over_provisioning() const { return effective_over_provisioning_; }

  // Mapping units that the device exports, and translation pages if the mapping is on flash.
  std::uint64_t exported_units() const { return exported_; }
  std::uint64_t translation_pages() const { return translation_pages_; }
  // Units that a plane of `good_blocks` good blocks may hold while leaving room for collection and for data other than
  // the host's.
  std::uint64_t of_plane(std::uint64_t good_blocks) const {
    return good_blocks > kept_back_ ? (good_blocks - kept_back_) * collectable_units_ : 0;
  }
  // Units in the blocks of the journal of trims, which may be on any plane.
  std::uint64_t of_journal() const { return journal_blocks_ * collectable_units_; }

 private:
  // Units that a block may hold on average so that collection always finds a block whose collection gains a flash page.
  // A block with fewer invalid units than a page holds gains none.
  const std::uint64_t collectable_units_;
  std::uint64_t exported_ = 0;
  std::uint64_t translation_pages_ = 0;
  double effective_over_provisioning_ = 0;
  const std::uint64_t kept_back_;
  const std::uint64_t journal_blocks_;
};

}  // namespace nandscape::controller
