// SPDX-License-Identifier: Apache-2.0
// Ends the drive's life as a real drive would: when so many blocks have failed that the stored data no longer fit, when
// collection gains nothing, or when commands are pending without progress. The drive reports the content of every
// queue, becomes read-only, and fails accesses that it cannot complete. Its data can still be read.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "controller/host_io/host_port.h"
#include "controller/mapping/plane_room.h"
#include "controller/mapping/power_state.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/power_loss/journal_writer.h"
#include "controller/writing/page_writer.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "core/component.h"

namespace nandscape::controller {

class EndOfLife final : public Component, public GarbageCollector::RoomListener, public ProgramListener {
 public:
  // The pending accesses of the host.
  class Accesses {
   public:
    // Whether accesses are pending that only a program could complete.
    virtual bool wait_for_programs() const = 0;
    // Fails these accesses.
    virtual void give_up(Tick now) = 0;

   protected:
    ~Accesses() = default;
  };

  struct Context {
    const FlashLayout& layout;
    PlaneRoom& room;
    GarbageCollector& collector;
    PageWriter& writer;
    JournalWriter& journal;
    const PowerState& power;
    const HostPort& host;
    Accesses& accesses;
    const Components& components;  // components of the drive, for reports
    Calendar& calendar;
  };

  explicit EndOfLife(const Context& context);

  bool read_only() const { return read_only_; }
  void list_waiting(std::ostream& out) const override;
  // Makes the drive read-only and stops collection.
  void stop_writing(Tick now);
  // Makes the drive read-only because of a stall, and reports `why`.
  void take_no_more(const std::string& why, Tick now);
  // ProgramListener
  void no_place_left(Tick now) override;
  // Called when blocks were retired or planes closed.
  void room_changed(Tick now);
  // GarbageCollector::RoomListener
  void nothing_gained(FtlPlane plane, Tick now) override;
  void block_retired(Superblock block, Tick now) override;
  // With parity, no more data are written to the mapping planes of a die whose programs keep failing.
  void program_ended(const PageProgram& program, Tick now) override;
  // Called when accesses are pending but no event is left that could complete one. Schedules their end: the drive
  // becomes read-only, then fails the accesses that still wait. Returns false if there is nothing left to end.
  bool end_stall(Tick now);

  // The reason for the latest stall; empty if there was none.
  const std::string& report() const { return report_; }
  std::uint64_t stalls() const { return stalls_; }
  void persist(Archive& archive) override;

 private:
  void stop_collecting() { stop_writing(drive_.calendar.now()); }
  void end_stalled();
  void look_elsewhere(std::uint64_t plane);

  const Context drive_;
  bool read_only_ = false;
  std::string report_;
  std::uint64_t stalls_ = 0;
  IdVector<DieId, std::uint8_t> failures_in_a_row_;  // consecutive failed programs, by die; empty without parity
};

}  // namespace nandscape::controller
