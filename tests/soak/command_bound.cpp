// SPDX-License-Identifier: Apache-2.0
#include "command_bound.h"

#include "controller/capacity.h"
#include "ecc/engine.h"

namespace nandscape::soak {

namespace {

// The most senses of a page with errors before the controller gives it up. No table of retry steps has more, and no
// search of read voltages with soft senses needs more.
constexpr std::uint64_t most_senses = 100;
// A page programmed in a fast mode is programmed again, in a slow one, before its guarantee ends.
constexpr std::uint64_t programs_of_a_page = 2;
// While no plane has a place for a page, the drive waits one second before it becomes read-only; it waits again if
// another page is placed in this second (controller/writing/page_placement.cpp). The bound allows for two such waits.
constexpr Tick starvation = 2 * second;

}  // namespace

CommandBound::CommandBound(const PlatformParameters& p) {
  const Geometry geometry = geometry_of(p);
  const controller::PageTimes times = page_times_of(p);
  const controller::FlashLayout layout = controller::flash_layout(p.controller, geometry);
  const controller::MappingParameters& mapping = p.controller.mapping;
  const std::uint64_t senses = p.simulation.cells.name == "ideal" ? 1 : most_senses;
  const Tick longest_sense = times.read * times.pages_per_wordline;  // `read` is the mean of all page types
  const Tick decode = ticks_from_s(ecc::decode_seconds(p.ecc, geometry.page_bytes, 0));
  const Tick suspended = ticks_from_us(p.nand.timing.t_suspend_us + p.nand.timing.t_resume_us);
  page_ = senses * (longest_sense + times.bus + decode) +
          programs_of_a_page * (times.program + suspended + times.bus + times.encode);

  // The mapping entry of a page may be on flash; then its translation page is read and programmed, too.
  if (mapping.cache.cache_bytes != 0) page_ *= 2;

  // The blocks of a superblock are collected together.
  block_ = layout.members() * (geometry.pages_per_block * page_ + times.erase);
  collection_ = block_;
  // PlaneRoom::gains_nothing()
  in_vain_ = (geometry.blocks_per_plane + geometry.pages_per_block) * block_;
  // A policy that ignores valid pages may collect all other blocks of a plane before one that gains a page.
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
