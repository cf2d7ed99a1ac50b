// SPDX-License-Identifier: Apache-2.0
// Ends the drive's life in an orderly way, as a real drive does. A drive reaches its end when too few good blocks are
// left for the stored data, when collection gains no space, or when commands are pending and nothing makes progress. It
// then reports the content of every queue, becomes read-only, and fails the accesses that it cannot complete. The host
// can still read the stored data.
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
    // Whether accesses are pending that can complete only after a program has ended.
    virtual bool wait_for_programs() const = 0;
    // Fails the accesses that can complete only after a program has ended.
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
  // Makes the drive read-only because no progress is possible, and stores `why` in report().
  void take_no_more(const std::string& why, Tick now);
  // ProgramListener
  void no_place_left(Tick now) override;
  // Called when blocks have been retired or planes closed. Computes the remaining room, makes the drive read-only if
  // the stored data no longer fit, and notifies the host of the changed health.
  void room_changed(Tick now);
  // GarbageCollector::RoomListener
  void nothing_gained(FtlPlane plane, Tick now) override;
  void block_retired(Superblock block, Tick now) override;
  // Counts consecutive failed programs of each die if the drive has parity. After several failures, the mapping planes
  // of the die are closed: no more data are written to them.
  void program_ended(const PageProgram& program, Tick now) override;
  // Called when accesses are pending but no scheduled event can complete any of them. Schedules the end of these
  // accesses: first the drive becomes read-only, and if accesses still wait after that, they fail. Returns false if the
  // drive has already given up all accesses.
  bool end_stall(Tick now);

  // The reason for the latest stall and the content of the queues at that time; empty if there was no stall.
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
