// SPDX-License-Identifier: Apache-2.0
// How long a drive has to be fed when its power fails, by the arithmetic of its firmware, and what it may promise for
// that: a drive tells the host that its writes outlive a power cut only if its capacitor lasts for the longest save.
//
// The longest save is a bound from the parameters. All terms are added, although arrays and buses work side by side:
//
//   what the dies are at    two programs and a read, an erase, and another of each plane that waits
//   latches                 on each plane, each stream's wordline is filled up, page by page, one plane after another
//   collection              what it had begun to move
//   journal of trims        a wordline of records
//   data cache              what is under way to the flash may all be for one plane; the rest goes to all planes alike
//
// Programs that fail while the drive saves are not in it, nor are retries of what is read to be merged, and trims of
// more ranges than a wordline of the journal holds.
#pragma once

#include <cstdint>

#include "controller/flash_ops/data_path.h"
#include "controller/parameters.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

class HoldUp {
 public:
  HoldUp(const ControllerParameters& parameters, const Geometry& geometry, const PageTimes& times);

  // From when the supply fails until everything that the capacitor is there for is in the cells, at most.
  Tick most() const { return latches_ + cached_; }
  // For how long the capacitor feeds the drive; 0 without one.
  Tick capacitor() const { return capacitor_; }
  bool suffices() const { return capacitor_ != 0 && most() <= capacitor_; }

  // Whether writes that were answered for outlive a power cut without a flush: once they are programmed, though their
  // wordline is incomplete, and while they are in the data cache.
  bool latches_last() const { return latches_protected_ && suffices(); }
  bool cache_lasts() const { return cache_protected_ && suffices(); }

  // The voltages between which the capacitor feeds the drive.
  double charged_v() const { return charged_v_; }
  double cut_off_v() const { return cut_off_v_; }

  // About how long it takes to write what is left: so many pages on the busiest plane, and so many units from DRAM.
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
  Tick page_ = 0;  // one page by itself
  Tick capacitor_ = 0;
  Tick latches_ = 0;
  Tick cached_ = 0;
};

}  // namespace nandscape::controller
