// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/end_of_life.h"

namespace nandscape::controller {

EndOfLife::EndOfLife(const FlashLayout& layout, PlaneRoom& room, GarbageCollector& collector, PageWriter& writer,
                     JournalWriter& journal, Calendar& calendar, Drive& drive)
    : layout_(layout),
      room_(room),
      collector_(collector),
      writer_(writer),
      journal_(journal),
      calendar_(calendar),
      drive_(drive),
      failures_in_a_row_(layout.has_parity() ? layout.flash().dies() : 0) {}

void EndOfLife::stop_writing(Tick now) {
  read_only_ = true;
  collector_.stop();
  writer_.release_groups();
  writer_.placement().places_changed_anywhere(now);  // no block will become free for waiting writes
  journal_.write(now);
}

// The scheduler or the collector may be in the middle of a decision, so the rest is an event of its own.
void EndOfLife::take_no_more(const std::string& why, Tick now) {
  read_only_ = true;
  ++stalls_;
  report_ = why + "; " + drive_.waiting();
  calendar_.schedule<&EndOfLife::stop_collecting>(now, *this);
}

void EndOfLife::no_place_left(Tick now) {
  if (report_.empty()) report_ = "no block is left to write to on any plane; " + drive_.waiting();
  room_.set_no_place_left();
  stop_writing(now);
}

void EndOfLife::room_changed(Tick now) {
  if (!room_.count_again()) stop_writing(now);
  drive_.health_changed(now);
}

// If no write waits for the plane, it may be left as it is. Otherwise its data are written to other planes, as far as
// those have room.
void EndOfLife::nothing_gained(FtlPlane plane, Tick now) {
  if (read_only_ || !writer_.placement().blocked(plane)) return;
  room_.set_planes_mixed();
  if (const FtlPlane other = room_.with_room(plane, false); other.valid() && other != plane) {
    calendar_.schedule<&EndOfLife::look_elsewhere>(now, *this, plane.value);
    return;
  }
  take_no_more("collection of plane " + std::to_string(plane.value) + " emptied " +
                   std::to_string(room_.victims_in_vain(plane)) + " blocks without a gain",
               now);
}

void EndOfLife::look_elsewhere(std::uint64_t plane) {
  writer_.placement().places_changed(FtlPlane(static_cast<std::uint32_t>(plane)), calendar_.now());
}

// A dead die would fail each superblock at its first row, until none is left to move data to.
void EndOfLife::program_ended(const PageProgram& program, Tick now) {
  if (failures_in_a_row_.empty()) return;
  constexpr std::uint8_t dead = 3;
  const DieId die = layout_.flash().die_of(program.plane);
  std::uint8_t& failures = failures_in_a_row_[die];
  if (program.command.status == NandStatus::pass) {
    failures = 0;
    return;
  }
  if (failures == dead || ++failures < dead) return;
  const std::uint32_t planes_per_die = layout_.flash().planes_per_die;
  for (std::uint32_t k = 0; k < planes_per_die; ++k) {
    const FtlPlane plane = layout_.mapping_plane(FlashPlane(die.value * planes_per_die + k));
    room_.close(plane);
    writer_.placement().release_groups(plane);
  }
  room_changed(now);
  writer_.placement().places_changed_anywhere(now);
}

bool EndOfLife::end_stall(Tick now) {
  if (room_.no_place_left() && !drive_.waits_for_programs()) return false;
  ++stalls_;
  report_ = "no progress while commands are pending; " + drive_.waiting();
  calendar_.schedule<&EndOfLife::end_stalled>(now, *this);
  return true;
}

void EndOfLife::end_stalled() {
  const Tick now = calendar_.now();
  if (room_.no_place_left()) {
    drive_.give_up_accesses(now);
    return;
  }
  no_place_left(now);
  if (!drive_.programmed_is_durable()) writer_.ledger().complete_wordlines();
}

void EndOfLife::persist(Archive& archive) {
  archive(read_only_);
  archive.table(failures_in_a_row_.values(), failures_in_a_row_.size(), "dies");
}

}  // namespace nandscape::controller
