// SPDX-License-Identifier: Apache-2.0
#include "controller/hold_up.h"

#include <algorithm>

#include "controller/capacity.h"

namespace nandscape::controller {

namespace {

std::uint64_t quotient_up(std::uint64_t dividend, std::uint64_t divisor) { return (dividend + divisor - 1) / divisor; }

std::uint32_t units_per_page(const ControllerParameters& p, const Geometry& g) {
  return p.mapping.unit_bytes == 0 ? 1 : std::max(1u, g.page_bytes / p.mapping.unit_bytes);
}

}  // namespace

HoldUp::HoldUp(const ControllerParameters& p, const Geometry& g, const PageTimes& t)
    : geometry_(g),
      times_(t),
      units_per_page_(units_per_page(p, g)),
      stripe_dies_(p.parity.stripe_dies),
      charged_v_(p.power_loss.capacitor_v),
      cut_off_v_(p.power_loss.cut_off_v),
      latches_protected_(p.power_loss.protection == PowerLossProtection::capacitor),
      cache_protected_(p.cache.keeps_writes() && p.cache.backup == CacheBackup::capacitor),
      page_(t.write()) {
  if (latches_protected_ || cache_protected_) capacitor_ = ticks_from_ms(p.power_loss.hold_up_ms);

  const std::uint64_t blocks_of_stream = p.fullpages.spread() ? 4 : 1;
  const std::uint64_t pages_of_plane = open_streams(p) * blocks_of_stream * t.open_wordlines() * t.pages_per_wordline +
                                       p.garbage_collection.pages_in_flight;
  const std::uint64_t pages_of_die = pages_of_plane * g.planes_per_die;
  const Tick at_work = (1 + g.planes_per_die) * t.erase + 2 * t.longest_program + t.read + t.bus +
                       ticks_from_us(p.mapping.write_coalescing_us);
  const Tick journal = t.open_wordlines() * t.pages_per_wordline * page_;
  latches_ = at_work + pages_of_die * (t.program + g.dies_per_channel() * (t.passes * t.bus + t.encode)) + journal;

  if (!cache_protected_) return;
  const std::uint64_t units = quotient_up(p.cache.capacity_bytes, g.page_bytes / units_per_page_);
  const std::uint64_t in_flight = std::min<std::uint64_t>(units, std::max(p.cache.writes_in_flight, units_per_page_));
  // A stream spreads pages over all planes of a superblock. One of them may be behind the others by a wordline, and
  // then gets its pages first.
  const std::uint64_t planes = p.mapping.superpages() ? flash_layout(p, g).member_planes() : 1;
  const std::uint64_t of_busiest_plane =
      planes == 1 ? in_flight : quotient_up(in_flight, planes) + t.open_wordlines() * t.pages_per_wordline;
  cached_ = of_busiest_plane * page_ + spread(quotient_up(units, units_per_page_));
}

// Returns the time to write pages that are spread evenly over all planes. The units of each page are merged with older
// data, which must be read first.
Tick HoldUp::spread(std::uint64_t pages) const {
  const std::uint64_t with_parity = stripe_dies_ < 2 ? pages : quotient_up(pages * stripe_dies_, stripe_dies_ - 1);
  const Tick merged = units_per_page_ * (times_.read + times_.bus);
  return quotient_up(with_parity, geometry_.planes()) * (times_.program + merged) +
         quotient_up(with_parity, geometry_.channels) * (times_.passes * times_.bus + times_.encode);
}

Tick HoldUp::estimate(std::uint64_t pages_of_plane, std::uint64_t cached_units) const {
  return pages_of_plane * page_ + spread(quotient_up(cached_units, units_per_page_));
}

}  // namespace nandscape::controller
