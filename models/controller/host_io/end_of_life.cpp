// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/end_of_life.h"

#include <ostream>

namespace nandscape::controller {

EndOfLife::EndOfLife(const Context& context)
    : drive_(context), failures_in_a_row_(context.layout.spans_planes() ? context.layout.flash().dies() : 0) {}

void EndOfLife::stop_writing(Tick now) {
  read_only_ = true;
  drive_.collector.stop();
  drive_.writer.release_groups();
  // Retries the writes that wait for a free block, because no more blocks will become free.
  drive_.writer.placement().places_changed_anywhere(now);
  drive_.journal.write(now);
}

// Only marks the drive as read-only and schedules an event for the rest, because the caller may be the scheduler or the
// collector in the middle of a decision.
void EndOfLife::take_no_more(const std::string& why, Tick now) {
  read_only_ = true;
  ++stalls_;
  report_ = why + "; " + report_waiting(drive_.components);
  drive_.calendar.schedule<&EndOfLife::stop_collecting>(now, *this);
}

void EndOfLife::no_place_left(Tick now) {
  if (report_.empty()) report_ = "no block is left to write to on any plane; " + report_waiting(drive_.components);
  drive_.room.set_no_place_left();
  stop_writing(now);
}

void EndOfLife::room_changed(Tick now) {
  if (!drive_.room.count_again()) stop_writing(now);
  drive_.host.health_changed(now);
}

void EndOfLife::block_retired(Superblock block, Tick now) {
  room_changed(now);
  drive_.writer.placement().places_changed(drive_.layout.mapping().plane_of(block), now);
}

// Collection of the plane gains nothing. If no write waits for the plane, nothing needs to be done. Otherwise the
// waiting writes go to other planes that have room. If no plane has room, the drive becomes read-only.
void EndOfLife::nothing_gained(FtlPlane plane, Tick now) {
  if (read_only_ || !drive_.writer.placement().blocked(plane)) return;
  drive_.room.set_planes_mixed();
  if (const FtlPlane other = drive_.room.with_room(plane, false); other.valid() && other != plane) {
    drive_.calendar.schedule<&EndOfLife::look_elsewhere>(now, *this, plane.value);
    return;
  }
  take_no_more("collection of plane " + std::to_string(plane.value) + " emptied " +
                   std::to_string(drive_.room.victims_in_vain(plane)) + " blocks without a gain",
               now);
}

void EndOfLife::look_elsewhere(std::uint64_t plane) {
  drive_.writer.placement().places_changed(FtlPlane(static_cast<std::uint32_t>(plane)), drive_.calendar.now());
}

// Closes the planes of a die after several consecutive failed programs. If a dead die were still used, every superblock
// would fail at its first row, until no superblock were left to which data could move.
void EndOfLife::program_ended(const PageProgram& program, Tick now) {
  if (failures_in_a_row_.empty()) return;
  constexpr std::uint8_t dead = 3;
  const DieId die = drive_.layout.flash().die_of(program.plane);
  std::uint8_t& failures = failures_in_a_row_[die];
  if (program.command.status == NandStatus::pass) {
    failures = 0;
    return;
  }
  if (failures == dead || ++failures < dead) return;
  const std::uint32_t planes_per_die = drive_.layout.flash().planes_per_die;
  for (std::uint32_t k = 0; k < planes_per_die; ++k) {
    const FtlPlane plane = drive_.layout.mapping_plane(FlashPlane(die.value * planes_per_die + k));
    drive_.room.close(plane);
    drive_.writer.placement().release_groups(plane);
  }
  room_changed(now);
  drive_.writer.placement().places_changed_anywhere(now);
}

bool EndOfLife::end_stall(Tick now) {
  if (drive_.room.no_place_left() && !drive_.accesses.wait_for_programs()) return false;
  ++stalls_;
  report_ = "no progress while commands are pending; " + report_waiting(drive_.components);
  drive_.calendar.schedule<&EndOfLife::end_stalled>(now, *this);
  return true;
}

void EndOfLife::end_stalled() {
  const Tick now = drive_.calendar.now();
  if (drive_.room.no_place_left()) {
    drive_.accesses.give_up(now);
    return;
  }
  no_place_left(now);
  if (!drive_.power.programmed_is_durable()) drive_.writer.ledger().complete_wordlines();
}

void EndOfLife::persist(Archive& archive) {
  archive(read_only_);
  archive.table(failures_in_a_row_.values(), failures_in_a_row_.size(), "dies");
}

void EndOfLife::list_waiting(std::ostream& out) const {
  if (!read_only_) return;
  out << "the drive is read-only" << (drive_.room.no_place_left() ? ", with no place left" : "") << "\n";
}

}  // namespace nandscape::controller
