// SPDX-License-Identifier: Apache-2.0
// How the drive ends as a real one would: when so many blocks have failed that what it stores does not fit any more,
// when collection gains nothing, or when nothing goes on while commands are open. It says what every queue holds,
// becomes read-only, and fails what it cannot complete; what it holds can be read.
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
  // What it needs of the drive as a whole.
  class Drive {
   public:
    // What every queue holds.
    virtual std::string waiting() const = 0;
    virtual void health_changed(Tick now) = 0;
    virtual bool programmed_is_durable() const = 0;
    // Whether accesses are open that only a program could end.
    virtual bool waits_for_programs() const = 0;
    // Fails them.
    virtual void give_up_accesses(Tick now) = 0;

   protected:
    ~Drive() = default;
  };

  EndOfLife(const FlashLayout& layout, PlaneRoom& room, GarbageCollector& collector, PageWriter& writer,
            JournalWriter& journal, Calendar& calendar, Drive& drive);

  bool read_only() const { return read_only_; }
  // Nothing new is written from now on.
  void stop_writing(Tick now);
  // For good, and says why.
  void take_no_more(const std::string& why, Tick now);
  void no_place_left(Tick now);
  // Blocks were retired, or planes closed.
  void room_changed(Tick now);
  // Collection of the plane has emptied blocks, and gained nothing.
  void nothing_gained(FtlPlane plane, Tick now);
  // With parity: a die in which nothing can be programmed any more takes its planes of the mapping out of use for
  // writes.
  void program_ended(const PageProgram& program, Tick now);
  // Accesses are open, and no event is left that could complete one. Schedules their end: the drive becomes read-only,
  // and what still waits then fails. False when there is nothing left that it could end.
  bool end_stall(Tick now);

  // Why that was necessary; empty if it never was.
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
  IdVector<DieId, std::uint8_t> failures_in_a_row_;  // of programs, by die; only with parity
};

}  // namespace nandscape::controller
