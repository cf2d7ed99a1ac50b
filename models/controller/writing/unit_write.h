// SPDX-License-Identifier: Apache-2.0
// The write of one mapping unit. The object exists from the acceptance of the write until the unit is durable. Each
// class that writes units derives its own type.
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

  // Called when the unit has been programmed. It is not durable before its wordline is complete. `mapped` is true if
  // the unit is now mapped to its new location, and false if the host has overwritten it meanwhile.
  virtual void programmed(bool /*mapped*/, Tick /*now*/) {}
  // Called when no plane has room for the unit and it has not been on flash before. Only release() is called after
  // this.
  virtual void refused(Tick now) = 0;
  // Called last. The object may then be used for another write.
  virtual void release() = 0;
  // Copies the data of the unit to `bytes`. Called only while the unit is being added to a page.
  virtual void copy_data(std::byte* /*bytes*/) const {}

  Lpn lpn;
  // Version of the data. The newest version on flash is the valid one. Moving a unit does not change its version.
  std::uint64_t version = 0;
  PageAccess* access = nullptr;  // host access that waits for the unit, or null
  // For a moved unit, its old location. For a unit that is being written again (`rewritten`), the location that was
  // lost with its wordline.
  Ppa source;
  Ppa place;  // location on flash; invalid until the unit is programmed
  // The sectors of the unit that the host has written. There are none if the unit is moved.
  std::uint16_t first_sector = 0;
  std::uint16_t sector_count = 0;
  bool copied = false;     // moved by a command within the flash, so the controller does not have its data
  bool lost = false;       // moved although it could not be read, so its data are wrong
  bool rewritten = false;  // lost from its location after it was programmed; only the controller has its data
  bool abandoned = false;  // its access has failed, so the unit must not be mapped
  // The block with the previous version of the unit. It must not be erased before this version is durable.
  Superblock held_back;
  Ppa moved_from;  // for mapped moves: location of the old copy, valid while held_back is pinned
  UnitWrite* next_in_page = nullptr;
  UnitWrite* next_in_flight = nullptr;  // next entry in the table of writes in flight
  AccessQueue waiting;                  // later accesses to the unit, which wait for this write
};

// Holds new units until the units that are to be written together with them have arrived.
class UnitGatherer {
 public:
  class Client {
   public:
    // Writes the unit in the ordinary way, without waiting for other units.
    virtual void write_alone(UnitWrite& unit, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  virtual ~UnitGatherer() = default;
  virtual void take(UnitWrite& unit, Tick now) = 0;
  // Writes all held units now, without waiting for more units.
  virtual void release(Tick now) = 0;
};

// The writes that have not ended yet, by logical page. A new write to a page must wait for the previous write to that
// page. Otherwise, if a partial write were merged with the old content of the page, the other write could be lost.
class WritesInFlight : public LpnTable<UnitWrite, &UnitWrite::next_in_flight> {
 public:
  using LpnTable::find;
  // Returns a write to any of the pages [first, first + count), or null if there is none.
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
