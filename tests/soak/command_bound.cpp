// SPDX-License-Identifier: Apache-2.0
#include "command_bound.h"

#include "controller/capacity.h"
#include "ecc/engine.h"

namespace nandscape::soak {

namespace {

// The largest number of senses of a page with errors before the controller gives the page up. No table of retry steps
// is longer, and no search for read voltages with soft senses needs more.
constexpr std::uint64_t most_senses = 100;
// A page that was programmed in a fast write mode is programmed a second time, in a slow mode, before its guarantee
// ends. With two passes, moved pages become durable with a page of the next wordline, which may be padding.
constexpr std::uint64_t programs_of_a_page = 2;
// If no plane has room for a page, the drive waits one second before it becomes read-only. It waits for another second
// if another page is placed in the meantime (controller/writing/page_placement.cpp). The bound allows for two such
// waits.
constexpr Tick starvation = 2 * second;

}  // namespace

CommandBound::CommandBound(const PlatformParameters& p) {
  const Geometry geometry = geometry_of(p);
  const controller::PageTimes times = page_times_of(p);
  const controller::FlashLayout layout = controller::flash_layout(p.controller, geometry);
  const controller::MappingParameters& mapping = p.controller.mapping;
  const std::uint64_t senses = p.simulation.cells.name == "ideal" ? 1 : most_senses;
  // `read` is the mean over the page types; this is a safe upper bound for the slowest type
  const Tick longest_sense = times.read * times.pages_per_wordline;
  const Tick decode = ticks_from_s(ecc::decode_seconds(p.ecc, geometry.page_bytes, 0));
  const Tick suspended = ticks_from_us(p.nand.timing.t_suspend_us + p.nand.timing.t_resume_us);
  page_ = senses * (longest_sense + times.bus + decode) +
          times.passes * programs_of_a_page * (times.passes * suspended + times.write());

  // The mapping entry of a page may be on flash. Its translation page must then be read and programmed as well.
  if (mapping.cache.cache_bytes != 0) page_ *= 2;

  // All blocks of a superblock are collected together.
  block_ = layout.members() * (geometry.pages_per_block * page_ + times.erase);
  collection_ = block_;
  // See PlaneRoom::gains_nothing().
  in_vain_ = (geometry.blocks_per_plane + geometry.pages_per_block) * block_;
  // These policies ignore the number of valid pages. They may collect all other blocks of a plane before they collect
  // one that gains a free page.
  const std::string& victims = p.controller.garbage_collection.policy.name;
  if (victims == "fifo" || victims.starts_with("random")) collection_ *= geometry.blocks_per_plane;

  waits_ = ticks_from_us(mapping.write_coalescing_us + mapping.wordline_wait_us) +
           ticks_from_ms(p.controller.fullpages.wait_ms);
  const bool renews = p.controller.refresh.policy.name != "none" || p.controller.scrub.period_hours > 0 ||
                      p.controller.read_disturb.limit_reads > 0 || p.controller.wear_levelling.static_threshold > 0;
  renewal_ = renews ? geometry.pages() * page_ : 0;
  cached_pages_ = p.controller.cache.keeps_writes() ? p.controller.cache.capacity_bytes / layout.unit_bytes() : 0;
}

Tick CommandBound::longest(std::uint64_t pages, std::uint64_t failed_blocks) const {
  const Tick failures = failed_blocks == 0 ? 0 : starvation + in_vain_ + failed_blocks * (page_ + block_);
  return waits_ + renewal_ + (pages + cached_pages_) * (page_ + collection_) + failures;
}

}  // namespace nandscape::soak
