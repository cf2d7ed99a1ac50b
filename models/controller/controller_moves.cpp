// SPDX-License-Identifier: Apache-2.0
// What the controller does when blocks are emptied.
#include <cstring>
#include <utility>

#include "controller/controller.h"

namespace nandscape {

namespace {

// Whether data moved for that reason are there to stay.
bool lasts(Reason reason) { return reason != Reason::space && reason != Reason::failure; }

}  // namespace

std::uint32_t Controller::move_page(Ppn first_unit, Reason reason, Tick now) {
  UnitWrite* units = nullptr;
  UnitWrite** end = &units;
  std::uint32_t count = 0, first = 0, last = 0;
  for (std::uint32_t k = 0; k < layout_.units_per_page(); ++k) {
    const Ppn source(first_unit.value + k);
    const Lpn lpn = blocks_.held_by(source);
    if (!lpn.valid()) continue;
    mapping_.prefetch(lpn);
    UnitWrite& unit = units_.acquire();
    unit.lpn = lpn;
    unit.source = source;
    unit.lost = !lost_.empty() && lost_.contains(lpn.value);
    *end = &unit;
    end = &unit.next_in_page;
    if (count++ == 0) first = k;
    last = k;
  }
  if (count == 0) return 0;
  FlashTransaction* move = nullptr;
  std::optional<std::uint8_t> stream;
  if (count == layout_.units_per_page()) stream = copyback_stream(units, reason);
  if (stream) {
    for (UnitWrite* unit = units; unit != nullptr; unit = unit->next_in_page) unit->copied = true;
    move = &writer_.make_copy(first_unit, *stream, *units);
  } else {
    move = &io_.acquire(Purpose::gc_read);
    move->units = units;
    move->lasts = lasts(reason);
    move->lpn = units->lpn;
    move->ppn = first_unit;
    move->command.tag = std::span(move->tag).first(2 * layout_.units_per_page());
    move->command.first_byte = first * layout_.unit_bytes();
    move->command.bytes = (last + 1 - first) * layout_.unit_bytes();
  }
  const auto argument = reinterpret_cast<std::uintptr_t>(move);
  const Tick at = firmware_ == nullptr ? now : firmware_->charge(FirmwareWork::move, now);
  if (at == now) {
    start_move(argument);
  } else {
    calendar_.schedule<&Controller::start_move>(at, *this, argument);
  }
  return count;
}

void Controller::start_move(std::uint64_t argument) {
  FlashTransaction& move = *reinterpret_cast<FlashTransaction*>(static_cast<std::uintptr_t>(argument));
  const Tick now = calendar_.now();
  if (move.purpose == Purpose::copyback) {
    writer_.copy(move, now);
  } else {
    const std::uint32_t first = move.command.first_byte;
    reader_.start(move, move.ppn, first, first + move.command.bytes, now);
  }
}

std::uint8_t Controller::stream_of_move(Lpn lpn, BlockId source, bool lasts) {
  if (layout_.has_parity()) return lasts ? lasting_stream_ : collection_stream();
  if (lpn.value >= logical_pages_) return map_stream_;
  return lasts ? lasting_stream_ : streams_->stream_of_move(lpn, blocks_.stream(source));
}

// Data that move because of their errors must be corrected on the way.
std::optional<std::uint8_t> Controller::copyback_stream(const UnitWrite* units, Reason reason) {
  const GarbageCollectionParameters& p = parameters_.garbage_collection;
  if (!p.copyback || (reason != Reason::space && reason != Reason::wear)) return std::nullopt;
  const BlockId source = layout_.block_of(units->source);
  const PlaneId plane = layout_.mapping().plane_of(source);
  if (blocks_.copies(source) >= p.copyback_limit || with_room(plane, true) != plane) return std::nullopt;
  const std::uint8_t stream = stream_of_move(units->lpn, source, lasts(reason));
  for (const UnitWrite* unit = units; unit != nullptr; unit = unit->next_in_page) {
    if (unit->lost || stream_of_move(unit->lpn, source, lasts(reason)) != stream) return std::nullopt;
  }
  return stream;
}

// What a copyback has lost still stands where it came from.
void Controller::read_back(FlashTransaction& page, Tick now) {
  FlashTransaction& read = io_.acquire(Purpose::copy_read);
  read.reads_back = &page;
  read.lpn = page.units->lpn;
  read.command.tag = std::span(read.tag).first(2 * layout_.units_per_page());
  reader_.start(read, page.copied_from, 0, layout_.flash().page_bytes, now);
}

void Controller::move_ended(Ppn source, MoveEnd end, Tick now) {
  const BlockId block = layout_.block_of(source);
  collector_.page_moved(block, end, now);
  close_moved_pages(layout_.mapping().plane_of(block));
}

void Controller::close_moved_pages(PlaneId source) {
  const std::uint32_t waiting = writer_.partial_moves(source);
  if (waiting != 0 && waiting == collector_.in_flight(source)) writer_.close_moved_pages(source);
}

void Controller::units_to_move_read(FlashTransaction& read, Tick now) {
  const PlaneId plane_of_source = layout_.mapping().plane_of(read.block);
  for (UnitWrite* next = read.units; next != nullptr;) {
    UnitWrite& unit = *std::exchange(next, next->next_in_page);
    if (mapping_.find(unit.lpn) != unit.source) {
      move_ended(unit.source, MoveEnd::not_written, now);
      units_.release(unit);
      continue;
    }
    const std::uint32_t position = layout_.unit_in_page(unit.source);
    unit.version = version_in(read.tag[2 * position + 1]);
    unit.lost |= read.ecc.uncorrectable;
    const BlockId source = layout_.block_of(unit.source);
    const PlaneId plane = with_room(layout_.mapping().plane_of(source), true);
    if (!plane.valid()) {
      unit_refused(unit, now);
      continue;
    }
    const std::uint8_t stream = stream_of_move(unit.lpn, source, read.lasts);
    FlashTransaction& page = writer_.page_for(Purpose::gc_write, stream, plane);
    std::byte* const bytes = writer_.add(page, unit);
    if (bytes != nullptr) {
      std::memcpy(bytes, read.command.data + std::size_t{position} * layout_.unit_bytes(), layout_.unit_bytes());
    }
    writer_.filled(page);
  }
  io_.release(read);
  close_moved_pages(plane_of_source);
}

// What was trimmed may be all that makes a page in the block invalid, and an older version of it lie elsewhere: the
// trim has to be known first.
void Controller::erase_block(BlockId block, Tick now) {
  if (!survives_power_cut() && journal_.pending()) {
    erases_waiting_.push_back(block);
    journal_.write(now);
    return;
  }
  send_erase(block, now);
}

void Controller::send_erase(BlockId block, Tick now) {
  if (layout_.members() > 1) erases_.start(block, layout_.members());
  for (std::uint32_t member = 0; member < layout_.members(); ++member) {
    FlashTransaction& erase = io_.acquire(Purpose::gc_erase);
    erase.block = block;
    FlashIo::set_address(erase, layout_.find(block, 0, member));
    erase.command.operation = NandOperation::erase;
    const auto argument = reinterpret_cast<std::uintptr_t>(&erase);
    const Tick at = firmware_ == nullptr ? now : firmware_->charge(FirmwareWork::erase, now);
    if (at == now) {
      start_erase(argument);
    } else {
      calendar_.schedule<&Controller::start_erase>(at, *this, argument);
    }
  }
}

void Controller::start_erase(std::uint64_t argument) {
  io_.enqueue(*reinterpret_cast<FlashTransaction*>(static_cast<std::uintptr_t>(argument)), calendar_.now());
}

void Controller::block_erased(FlashTransaction& erase, Tick now) {
  const BlockId block = erase.block;
  const PlaneId plane = layout_.mapping_plane(erase.plane);
  bool erased = erase.command.status == NandStatus::pass;
  counters_.failed_erases += !erased;
  io_.release(erase);
  if (layout_.members() > 1) {
    if (!erases_.ended(block, erased)) return;
    erased = erases_.take(block);
  }
  read_disturb_.erased(block);
  reader_.erased(block);
  collector_.block_erased(block, erased, now);
  journal_.block_erased(block, now);
  if (const BlockId lagging = levelling_.erased(blocks_, plane); lagging.valid()) {
    collector_.empty(lagging, Reason::wear, now);
  }
  if (writer_.starving()) {
    places_changed_anywhere(now);
  } else {
    places_changed(plane, now);
  }
}

void Controller::places_changed(PlaneId plane, Tick now) {
  for (std::uint32_t member = 0; member < layout_.member_planes(); ++member) {
    scheduler_.places_changed(layout_.flash_plane(plane, member), now);
  }
}

void Controller::set_urgent(PlaneId plane, bool urgent) {
  for (std::uint32_t member = 0; member < layout_.member_planes(); ++member) {
    scheduler_.set_collection_urgent(layout_.flash_plane(plane, member), urgent);
  }
}

// A plane of so many blocks may hold as much as leaves it room to collect, and for what is not the host's.
std::uint64_t Controller::capacity(std::uint64_t good) const {
  const std::uint64_t streams = std::uint64_t{lasting_stream_} + 1 + std::uint64_t{mapping_cache_.enabled()} +
                                std::uint64_t{fullpages_.has_value()};
  const std::uint64_t kept_back = parameters_.garbage_collection.reserved_blocks + streams;
  return good > kept_back ? collectable_units(layout_, good - kept_back) : 0;
}

std::uint64_t Controller::room(PlaneId plane) const {
  const bool closed = !closed_.empty() && closed_[plane.value];
  return closed || collector_.gains_nothing(plane) ? 0
                                                   : capacity(blocks_.good_blocks(plane) - journal_.blocks_on(plane));
}

std::uint64_t Controller::room_of_all() const {
  std::uint64_t sum = 0;
  for (std::uint32_t plane = 0; plane < layout_.mapping().planes(); ++plane) {
    const bool closed = !closed_.empty() && closed_[plane];
    if (!closed) sum += capacity(blocks_.good_blocks(PlaneId(plane)));
  }
  return sum - std::min(sum, room_of_journal());
}

// The journal of trims may come to any plane.
std::uint64_t Controller::room_of_journal() const {
  return parameters_.power_loss.protection == PowerLossProtection::none ? collectable_units(layout_, journal_blocks)
                                                                        : 0;
}

void Controller::block_retired(BlockId block, Tick now) {
  check_room(now);
  places_changed(layout_.mapping().plane_of(block), now);
}

void Controller::check_room(Tick now) {
  retired_ = true;
  in_order_ = false;
  room_ = room_of_all();
  if (room_ <= stored_pages()) stop_writing(now);
  if (client_ != nullptr) client_->health_changed(now);
}

// Each superblock would be given up at its first row, until none is left to move data to.
void Controller::watch_die(const FlashTransaction& program, Tick now) {
  constexpr std::uint8_t dead = 3;
  const DieId die = layout_.flash().die_of(program.plane);
  std::uint8_t& failures = failures_in_a_row_[die.value];
  if (program.command.status == NandStatus::pass) {
    failures = 0;
    return;
  }
  if (failures == dead || ++failures < dead) return;
  const std::uint32_t planes_per_die = layout_.flash().planes_per_die;
  for (std::uint32_t k = 0; k < planes_per_die; ++k) {
    const PlaneId plane = layout_.mapping_plane(PlaneId(die.value * planes_per_die + k));
    closed_[plane.value] = true;
    writer_.send_held(plane);
  }
  check_room(now);
  places_changed_anywhere(now);
}

void Controller::stop_writing(Tick now) {
  read_only_ = true;
  collector_.stop();
  if (layout_.has_parity()) {
    for (std::uint32_t plane = 0; plane < layout_.mapping().planes(); ++plane) writer_.send_held(PlaneId(plane));
  }
  places_changed_anywhere(now);  // no block will become free for the writes that wait for one
  journal_.write(now);
}

void Controller::no_place_left(Tick now) {
  if (stall_report_.empty()) stall_report_ = "no block is left to write to on any plane; " + waiting();
  no_place_left_ = true;
  stop_writing(now);
}

void Controller::places_changed_anywhere(Tick now) {
  writer_.look_for_places(now);
  for (std::uint32_t plane = 0; plane < layout_.flash().planes(); ++plane) {
    scheduler_.places_changed(PlaneId(plane), now);
  }
}

PlaneId Controller::with_room(PlaneId plane, bool moved) const {
  if (no_place_left_) return PlaneId();
  if (in_order_ || (moved && !retired_)) return plane;
  PlaneId other = plane;
  for (std::uint32_t k = 0; k < layout_.mapping().planes(); ++k, other = order_.next(other)) {
    if (blocks_.valid_in_plane(other) < room(other)) return other;
  }
  // As long as all blocks are good, all that is exported fits.
  return retired_ ? PlaneId() : plane;
}

// Of the room that the device could do without at first.
double Controller::available_spare_percent() const {
  if (!retired_) return 100;
  const Geometry& g = layout_.mapping();
  const std::uint64_t at_first = capacity(g.blocks_per_plane) * g.planes() - room_of_journal();
  if (room_ <= stored_pages() || at_first <= stored_pages()) return 0;
  return 100.0 * static_cast<double>(room_ - stored_pages()) / static_cast<double>(at_first - stored_pages());
}

double Controller::percentage_used() const {
  const Geometry& g = layout_.mapping();
  double erases = 0;
  for (std::uint32_t block = 0; block < g.blocks(); ++block) erases += blocks_.erase_count(BlockId(block));
  return 100 * (path_.first_age.pe_cycles + erases / g.blocks()) / path_.rated_cycles;
}

void Controller::host_may_go_on(PlaneId plane, Tick now) { places_changed(plane, now); }

void Controller::make_moves_durable(PlaneId plane, Tick) { writer_.complete_wordlines_for(plane); }

}  // namespace nandscape
