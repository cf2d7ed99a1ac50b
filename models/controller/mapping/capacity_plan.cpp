// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/capacity_plan.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "controller/mapping/mapping_cache.h"
#include "core/error.h"

namespace nandscape::controller {

namespace {

// Returns the effective over-provisioning. In balance, a plane has start_free_blocks free blocks, and one block less
// during the half of the time in which a victim is emptied. The open block of each stream is half written on average.
double spare_of_full_blocks(double valid_of_plane, const FtlGeometry& g, const BlockDemands& demands) {
  const double open = static_cast<double>(demands.streams);
  const double free = static_cast<double>(demands.start_free_blocks) - 0.5;
  const double cached = static_cast<double>(demands.cache_blocks);
  const double room = (g.blocks_per_plane() - free - open - cached) * g.units_per_block();
  const double valid = valid_of_plane - open / 2 * g.units_per_block();
  return valid > 0 ? room / valid - 1 : 0;
}

std::uint64_t collectable_units(const FlashLayout& layout, const BlockDemands& demands) {
  const std::uint64_t units = layout.mapping().units_per_block();
  const std::uint64_t part_of_page = layout.units_per_page() - 1;
  return units - std::min(units, std::max(part_of_page, demands.padded_units));
}

}  // namespace

CapacityPlan::CapacityPlan(const MappingParameters& p, const FlashLayout& layout, const BlockDemands& demands)
    : collectable_units_(collectable_units(layout, demands)),
      kept_back_(demands.reserved_blocks + demands.streams + demands.cache_blocks + 1),
      journal_blocks_(demands.journal_blocks) {
  const FtlGeometry& g = layout.mapping();
  exported_ = static_cast<std::uint64_t>(std::floor(static_cast<double>(g.units()) / (1 + p.over_provisioning)));
  translation_pages_ = controller::translation_pages(p.cache, g.unit_bytes(), exported_);
  // If blocks of a plane hold the journal, one more block is kept back so that collection still finds a block whose
  // collection gains space.
  const std::uint64_t journal = demands.journal_blocks == 0 ? 0 : demands.journal_blocks + 1;
  const std::uint64_t kept_back = demands.cache_blocks + std::max(demands.start_free_blocks + demands.streams,
                                                                  demands.reserved_blocks + demands.streams +
                                                                      std::uint64_t{demands.keeps_lasting} + journal);
  const std::uint64_t usable =
      g.blocks_per_plane() > kept_back ? (g.blocks_per_plane() - kept_back) * collectable_units_ * g.planes() : 0;
  effective_over_provisioning_ = spare_of_full_blocks(
      static_cast<double>(exported_ + translation_pages_) / static_cast<double>(g.planes()), g, demands);
  if (exported_ != 0 && exported_ + translation_pages_ <= usable) return;
  std::string advice = collectable_units_ == 0 ? "give the blocks more pages" : "give the planes more blocks";
  const std::uint32_t entries = entries_per_translation_page(p.cache, g.unit_bytes());
  const double share = entries == 0 ? 1 : 1 + 1.0 / entries;
  if (usable > 0) {
    constexpr double last_digit = 1e-6;  // resolution of std::to_string()
    const double least = static_cast<double>(g.units()) / static_cast<double>(usable) * share - 1;
    advice = "it must be at least " + std::to_string(std::ceil(least / last_digit) * last_digit) +
             ", or give the planes more blocks";
  }
  throw ConfigError({}, "controller.mapping.over_provisioning",
                    "leaves too few spare blocks (at 0 the exported would be the raw capacity): of a plane's " +
                        std::to_string(g.blocks_per_plane()) + " blocks, " + std::to_string(kept_back) +
                        " are kept back (to be free, for refresh, the SLC cache and the journal of trims, and one "
                        "being written for each of " +
                        std::to_string(demands.streams) + " streams" +
                        (translation_pages_ == 0 ? ""
                                                 : ", that of translation pages included, which take " +
                                                       std::to_string(translation_pages_) + " pages besides") +
                        ")" +
                        (demands.padded_units == 0
                             ? ""
                             : ", and of the " + std::to_string(g.units_per_block()) + " units of each other block " +
                                   std::to_string(demands.padded_units) +
                                   ", since without a sufficient capacitor, data moved to make room in the SLC cache "
                                   "are padded to wordlines") +
                        "; " + advice);
}

}  // namespace nandscape::controller
