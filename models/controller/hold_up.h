// SPDX-License-Identifier: Apache-2.0
// Computes the hold-up time: how long a drive must be powered after its supply has failed, as the firmware of the drive
// would compute it. The result also decides what the drive promises to the host. It reports that writes survive a loss
// of power only if the capacitor lasts for the longest possible save.
//
// The duration of the longest save is an upper bound that is derived from the parameters. All terms are added, although
// arrays and buses work in parallel:
//
//   operations under way    two programs, one read and one erase, and one more waiting erase on each plane
//   latches                 on each plane, the open wordline of each stream is filled, page by page, plane after plane;
//                           with two passes, three wordlines of each stream
//   garbage collection      the moves that it has begun
//   journal of trims        one wordline of records
//   data cache              the units being written may each fill a page, and all of these may be for one plane, or,
//                           with superpages, for the planes of one superblock; the other units are spread evenly
//
// The bound ignores programs that fail during the save, retries of reads for merging, and trims of more ranges than a
// wordline of the journal can hold.
#pragma once

#include <cstdint>

#include "controller/flash_ops/data_path.h"
#include "controller/parameters.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

class HoldUp {
 public:
  HoldUp(const ControllerParameters& parameters, const Geometry& geometry, const PageTimes& times);

  // The longest time from the failure of the supply until all protected data are stored in the cells.
  Tick most() const { return latches_ + cached_; }
  // The time for which the capacitor feeds the drive; 0 if there is no capacitor.
  Tick capacitor() const { return capacitor_; }
  [[nodiscard]] bool suffices() const { return capacitor_ != 0 && most() <= capacitor_; }

  // Whether writes that have been answered survive a loss of power without a flush: latches_last() for pages that are
  // programmed although their wordline is still incomplete, and cache_lasts() for data in the data cache.
  bool latches_last() const { return latches_protected_ && suffices(); }
  bool cache_lasts() const { return cache_protected_ && suffices(); }

  // The voltage to which the capacitor is charged, and the voltage below which it can no longer feed the drive.
  double charged_v() const { return charged_v_; }
  double cut_off_v() const { return cut_off_v_; }

  // Returns an estimate of the time to write `pages_of_plane` pages on the busiest plane, and `cached_units` units from
  // DRAM.
  Tick estimate(std::uint64_t pages_of_plane, std::uint64_t cached_units) const;

 private:
  Tick spread(std::uint64_t pages) const;

  const Geometry geometry_;
  const PageTimes times_;
  const std::uint32_t units_per_page_;
  const std::uint32_t stripe_dies_;
  const double charged_v_;
  const double cut_off_v_;
  bool latches_protected_ = false;
  bool cache_protected_ = false;
  Tick page_ = 0;  // time to write a single page
  Tick capacitor_ = 0;
  Tick latches_ = 0;
  Tick cached_ = 0;
};

}  // namespace nandscape::controller
