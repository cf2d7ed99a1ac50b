// SPDX-License-Identifier: Apache-2.0
// The write of one mapping unit, from its acceptance until it is durable. Whoever writes units derives from this.
#pragma once

#include <cstddef>
#include <cstdint>

#include "controller/addresses/ids.h"
#include "core/ticks.h"
#include "protocol/storage.h"

namespace nandscape::controller {

class UnitWrite {
 public:
  UnitWrite() = default;
  UnitWrite(const UnitWrite&) = delete;
  UnitWrite& operator=(const UnitWrite&) = delete;
  virtual ~UnitWrite() = default;

  // The unit is on flash; all that remains is that its wordline is completed.
  virtual void programmed(Tick now) = 0;
  // There is no place for the unit, which has not been on flash before; nothing but release() comes after that.
  virtual void refused(Tick now) = 0;
  // Nothing more is heard of the unit.
  virtual void release() = 0;
  // Where it is new as a whole: its data.
  virtual void copy_data(std::byte* /*bytes*/) const {}

  void wait_behind(PageAccess& later) {
    later.next = nullptr;
    (waiting == nullptr ? waiting : waiting_last->next) = &later;
    waiting_last = &later;
  }

  Lpn lpn;
  // Of the data. The newest version on flash is what the unit holds; moving it does not change the version.
  std::uint64_t version = 0;
  PageAccess* access = nullptr;  // of the host, which waits for it
  Ppa source;                    // of a move: where the unit was; rewritten: its place that was lost
  Ppa place;                     // once it has one
  // What of the unit the host wrote; no sectors where it was moved.
  std::uint16_t first_sector = 0;
  std::uint16_t sector_count = 0;
  bool copied = false;     // a move within the flash: its data are there alone
  bool lost = false;       // a move: the unit could not be read, and these are not its data
  bool rewritten = false;  // its place was lost after it was programmed; its data are here alone
  bool abandoned = false;  // its access has been failed; it must not be mapped any more
  // Holds the unit's version before this one, and must not be erased until this one is durable.
  Superblock held_back;
  Ppa moved_from;  // of a move that was mapped: where the same version may be had for as long as that is held back
  UnitWrite* next_in_page = nullptr;
  UnitWrite* next_in_flight = nullptr;  // in the table of writes in flight
  // Later accesses to the unit.
  PageAccess* waiting = nullptr;
  PageAccess* waiting_last = nullptr;
};

}  // namespace nandscape::controller
