// SPDX-License-Identifier: Apache-2.0
// The hold-up time: how long a drive must be powered after its supply fails, as its firmware would compute it. It also
// decides what the drive may promise: writes are reported to outlive a power cut only if the capacitor lasts for the
// longest save.
//
// The longest save is a bound derived from the parameters. All terms are added, although arrays and buses work in
// parallel:
//
//   current operations      two programs and a read, an erase, and another waiting erase on each plane
//   latches                 on each plane, the open wordline of each stream is filled, page by page, plane after plane
//   collection              the moves that it has begun
//   journal of trims        a wordline of records
//   data cache              units under way to flash may all be for one plane; the rest is spread over all planes
//
// The bound does not include programs that fail during the save, retries of reads for merging, or trims of more ranges
// than a wordline of the journal holds.
#pragma once

#include <cstdint>

#include "controller/flash_ops/data_path.h"
#include "controller/parameters.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

class HoldUp {
 public:
  HoldUp(const ControllerParameters& parameters, const Geometry& geometry, const PageTimes& times);

  // The longest time from the failure of the supply until all data that the capacitor protects are in the cells.
  Tick most() const { return latches_ + cached_; }
  // How long the capacitor feeds the drive; 0 without a capacitor.
  Tick capacitor() const { return capacitor_; }
  [[nodiscard]] bool suffices() const { return capacitor_ != 0 && most() <= capacitor_; }

  // Whether answered writes outlive a power cut without a flush: once they are programmed, even if their wordline is
  // incomplete (latches_last), and while they are in the data cache (cache_lasts).
  bool latches_last() const { return latches_protected_ && suffices(); }
  bool cache_lasts() const { return cache_protected_ && suffices(); }

  // The voltages between which the capacitor feeds the drive.
  double charged_v() const { return charged_v_; }
  double cut_off_v() const { return cut_off_v_; }

  // Estimates the time to write `pages_of_plane` pages on the busiest plane and `cached_units` units from DRAM.
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
  Tick page_ = 0;  // to write one page alone
  Tick capacitor_ = 0;
  Tick latches_ = 0;
  Tick cached_ = 0;
};

}  // namespace nandscape::controller
