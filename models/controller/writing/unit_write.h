// SPDX-License-Identifier: Apache-2.0
// The write of one mapping unit, from its acceptance until it is durable. Writers of units derive their own type.
#pragma once

#include <cstddef>
#include <cstdint>

#include "controller/addresses/ids.h"
#include "controller/addresses/lpn_table.h"
#include "core/ticks.h"
#include "protocol/access_queue.h"
#include "protocol/storage.h"

namespace nandscape::controller {

class UnitWrite {
 public:
  UnitWrite() = default;
  UnitWrite(const UnitWrite&) = delete;
  UnitWrite& operator=(const UnitWrite&) = delete;
  virtual ~UnitWrite() = default;

  // The unit is programmed, but not durable until its wordline is complete. `mapped`: it is mapped to its place;
  // otherwise the host has overwritten it meanwhile.
  virtual void programmed(bool /*mapped*/, Tick /*now*/) {}
  // There is no place for the unit, and it has not been on flash before. Only release() follows.
  virtual void refused(Tick now) = 0;
  // The last call: the writer may reuse the object.
  virtual void release() = 0;
  // Copies the unit's data to `bytes`. Called only while the unit is put into a page.
  virtual void copy_data(std::byte* /*bytes*/) const {}

  Lpn lpn;
  // Version of the data. The newest version on flash holds the unit's data; moving a unit does not change its version.
  std::uint64_t version = 0;
  PageAccess* access = nullptr;  // access of the host that waits for the unit, or null
  Ppa source;                    // moves: the old place; `rewritten`: the place that was lost
  Ppa place;                     // invalid until the unit is programmed
  // The part of the unit that the host wrote; no sectors if the unit was moved.
  std::uint16_t first_sector = 0;
  std::uint16_t sector_count = 0;
  bool copied = false;     // moved within the flash, so its data are only on flash
  bool lost = false;       // moved, but could not be read, so its data are wrong
  bool rewritten = false;  // its place was lost after it was programmed; only the controller has its data
  bool abandoned = false;  // its access has failed, so it must not be mapped
  // Block with the unit's previous version. The block must not be erased until this version is durable.
  Superblock held_back;
  Ppa moved_from;  // mapped moves: place of the old copy, valid while held_back is pinned
  UnitWrite* next_in_page = nullptr;
  UnitWrite* next_in_flight = nullptr;  // in the table of writes in flight
  AccessQueue waiting;                  // later accesses to the unit
};

// Holds new units back until the units with which they are to be written together have arrived.
class UnitGatherer {
 public:
  class Client {
   public:
    // Writes the unit like any other.
    virtual void write_alone(UnitWrite& unit, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  virtual ~UnitGatherer() = default;
  virtual void take(UnitWrite& unit, Tick now) = 0;
  // Gives up waiting: every held unit is written.
  virtual void release(Tick now) = 0;
};

// Finds the write that the next write to a logical page has to wait for. Writes to one page go one after the other, so
// that none is lost when a partial write is merged with the page's previous content.
class WritesInFlight : public LpnTable<UnitWrite, &UnitWrite::next_in_flight> {
 public:
  using LpnTable::find;
  // Any write to the pages [first, first + count).
  UnitWrite* find(Lpn first, std::uint64_t count) const {
    UnitWrite* found = nullptr;
    any(first, count, [&](UnitWrite& write) {
      found = &write;
      return true;
    });
    return found;
  }
};

}  // namespace nandscape::controller
