// SPDX-License-Identifier: Apache-2.0
// Ends the drive's life as a real drive would: when so many blocks have failed that the stored data no longer fit, when
// collection gains nothing, or when commands are pending without progress. The drive reports the content of every
// queue, becomes read-only, and fails accesses that it cannot complete. Its data can still be read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "controller/mapping/plane_room.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/power_loss/journal_writer.h"
#include "controller/writing/page_writer.h"
#include "core/archive.h"
#include "core/calendar.h"

namespace nandscape::controller {

class EndOfLife {
 public:
  // The services that it needs from the drive.
  class Drive {
   public:
    // Describes the content of every queue.
    virtual std::string waiting() const = 0;
    virtual void health_changed(Tick now) = 0;
    virtual bool programmed_is_durable() const = 0;
    // Whether accesses are pending that only a program could complete.
    virtual bool waits_for_programs() const = 0;
    // Fails these accesses.
    virtual void give_up_accesses(Tick now) = 0;

   protected:
    ~Drive() = default;
  };

  EndOfLife(const FlashLayout& layout, PlaneRoom& room, GarbageCollector& collector, PageWriter& writer,
            JournalWriter& journal, Calendar& calendar, Drive& drive);

  bool read_only() const { return read_only_; }
  // Makes the drive read-only and stops collection.
  void stop_writing(Tick now);
  // Makes the drive read-only because of a stall, and reports `why`.
  void take_no_more(const std::string& why, Tick now);
  void no_place_left(Tick now);
  // Called when blocks were retired or planes closed.
  void room_changed(Tick now);
  // Called when collection of the plane has emptied blocks without a gain.
  void nothing_gained(FtlPlane plane, Tick now);
  // With parity: a die whose programs keep failing takes its mapping planes out of use for writes.
  void program_ended(const PageProgram& program, Tick now);
  // Called when accesses are pending but no event is left that could complete one. Schedules their end: the drive
  // becomes read-only, then fails the accesses that still wait. Returns false if there is nothing left to end.
  bool end_stall(Tick now);

  // The reason of the latest stall; empty if there was none.
  const std::string& report() const { return report_; }
  std::uint64_t stalls() const { return stalls_; }
  void persist(Archive& archive);

 private:
  void stop_collecting() { stop_writing(calendar_.now()); }
  void end_stalled();
  void look_elsewhere(std::uint64_t plane);

  const FlashLayout& layout_;
  PlaneRoom& room_;
  GarbageCollector& collector_;
  PageWriter& writer_;
  JournalWriter& journal_;
  Calendar& calendar_;
  Drive& drive_;
  bool read_only_ = false;
  std::string report_;
  std::uint64_t stalls_ = 0;
  IdVector<DieId, std::uint8_t> failures_in_a_row_;  // of programs, by die; empty without parity
};

}  // namespace nandscape::controller
