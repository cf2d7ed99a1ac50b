// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/migrator.h"

#include <utility>

namespace nandscape::controller {

namespace {

// Returns whether data that are moved for this reason are expected to stay at their new address for long.
bool lasts(Reason reason) { return reason != Reason::space && reason != Reason::fold && reason != Reason::failure; }

}  // namespace

Migrator::Migrator(const CopybackUse& copybacks, FlashIo& io, UnitMap& map, MappingCache& cache, BlockTable& blocks,
                   const BlockAges& ages, PlaneRoom& room, UnitWrites& units, PageReader& reader, PageWriter& writer,
                   PageAssembly& assembly, StreamPolicy& streams, const WriteStreams& numbers, Calendar& calendar)
    : layout_(io.layout()),
      map_(map),
      cache_(cache),
      blocks_(blocks),
      room_(room),
      unit_writes_(units),
      reader_(reader),
      writer_(writer),
      assembly_(assembly),
      streams_(streams),
      numbers_(numbers),
      calendar_(calendar),
      reads_(io, *this),
      copyback_(copybacks, io, blocks, ages, room, reader, writer) {}

std::uint32_t Migrator::move_page(Ppa first_unit, Reason reason, Tick now) {
  UnitWrite* units = nullptr;
  UnitWrite** end = &units;
  std::uint32_t count = 0, first = 0, last = 0;
  for (std::uint32_t k = 0; k < layout_.units_per_page(); ++k) {
    const Ppa source(first_unit.value + k);
    const Lpn lpn = blocks_.held_by(source);
    if (!lpn.valid()) continue;
    MovedUnit& unit = units_.acquire(*this);
    unit.lpn = lpn;
    unit.source = source;
    unit.lost = map_.lost(lpn);
    *end = &unit;
    end = &unit.next_in_page;
    if (count++ == 0) first = k;
    last = k;
  }
  if (count == 0) return 0;
  const Tick at = firmware_ == nullptr ? now : firmware_->charge(FirmwareWork::move, now);
  std::optional<std::uint8_t> stream;
  if (count == layout_.units_per_page() && copyback_.may_move(*units, reason, now)) {
    stream = stream_of_all(units, lasts(reason));
  }
  if (stream) {
    PageProgram& copy = copyback_.make(first_unit, *stream, *units);
    if (at == now) {
      start_copy(copy);
    } else {
      calendar_.schedule<&Migrator::start_copy>(at, *this, copy);
    }
    return count;
  }
  MigrationRead& read = reads_.acquire();
  read.units = units;
  read.lasts = lasts(reason);
  read.lpn = units->lpn;
  read.ppa = first_unit;
  read.command.tag = std::span(read.tag).first(2 * layout_.units_per_page());
  read.command.first_byte = first * layout_.unit_bytes();
  read.command.bytes = (last + 1 - first) * layout_.unit_bytes();
  if (at == now) {
    start_read(read);
  } else {
    calendar_.schedule<&Migrator::start_read>(at, *this, read);
  }
  return count;
}

// The drive always knows where its translation pages are.
bool Migrator::look_up(const UnitWrite* units, MigrationRead* read, PageProgram* copy) {
  PageLookUp& page = page_look_ups_.acquire();
  page.read = read;
  page.copy = copy;
  page.units = 1;  // until all look-ups have begun
  for (const UnitWrite* unit = units; unit != nullptr; unit = unit->next_in_page) {
    if (map_.is_translation_page(unit->lpn)) continue;
    UnitLookUp& look_up = unit_look_ups_.acquire(*this);
    look_up.page = &page;
    ++page.units;
    if (!cache_.touch_moved(unit->lpn, look_up, calendar_.now())) continue;
    unit_look_ups_.release(look_up);
    --page.units;
  }
  if (--page.units != 0) return false;
  page_look_ups_.release(page);
  return true;
}

void Migrator::looked_up(UnitLookUp& unit) {
  PageLookUp& page = *unit.page;
  unit_look_ups_.release(unit);
  if (--page.units != 0) return;
  page_look_ups_.release(page);
  if (page.read != nullptr) {
    send_read(*page.read);
  } else {
    writer_.assembled(*page.copy);
  }
}

void Migrator::send_read(MigrationRead& read) {
  const std::uint32_t first = read.command.first_byte;
  reader_.start(read, read.ppa, first, first + read.command.bytes, calendar_.now());
}

std::uint8_t Migrator::stream_of(Lpn lpn, bool lasts) const {
  if (layout_.spans_planes()) {
    if (lasts) return numbers_.lasting;
    const bool one_stream = numbers_.lasting == numbers_.host + 1;
    if (one_stream || map_.is_translation_page(lpn)) return numbers_.reserve;
  } else {
    if (map_.is_translation_page(lpn)) return numbers_.mapping;
    if (lasts) return numbers_.lasting;
  }
  return static_cast<std::uint8_t>(numbers_.moved_shift + streams_.stream_of_move(lpn));
}

void Migrator::victim_chosen(Superblock victim, Reason reason) {
  const std::uint8_t stream = blocks_.stream(victim);
  if (reason != Reason::space || stream >= numbers_.lasting || blocks_.filled(victim)) return;
  const std::uint8_t shift = stream < numbers_.host ? 0 : numbers_.moved_shift;
  streams_.collected(static_cast<std::uint8_t>(stream - shift), blocks_.shape(victim).units(),
                     blocks_.valid_pages(victim));
}

std::optional<std::uint8_t> Migrator::stream_of_all(const UnitWrite* units, bool lasts) const {
  const std::uint8_t stream = stream_of(units->lpn, lasts);
  for (const UnitWrite* unit = units->next_in_page; unit != nullptr; unit = unit->next_in_page) {
    if (stream_of(unit->lpn, lasts) != stream) return std::nullopt;
  }
  return stream;
}

void Migrator::move_ended(Ppa source, MoveEnd end, Tick now) {
  const Superblock block = layout_.block_of(source);
  collector_->page_moved(block, end, now);
  close_moved_pages(layout_.mapping().plane_of(block));
}

void Migrator::close_moved_pages(FtlPlane source) {
  const std::uint32_t waiting = assembly_.partial_moves(source);
  if (waiting != 0 && waiting == collector_->in_flight(source)) assembly_.close_moved_pages(source);
}

void Migrator::units_read(MigrationRead& read, Tick now) {
  const FtlPlane plane_of_source = layout_.mapping().plane_of(read.block);
  for (UnitWrite* next = read.units; next != nullptr;) {
    auto& unit = static_cast<MovedUnit&>(*std::exchange(next, next->next_in_page));
    if (!blocks_.still_holds(unit.source)) {
      move_ended(unit.source, MoveEnd::not_written, now);
      unit.release();
      continue;
    }
    const std::uint32_t position = layout_.unit_in_page(unit.source);
    unit.version = version_in(read.tag[2 * position + 1]);
    unit.lost |= read.ecc.uncorrectable;
    assemble(unit, read.lasts, read.command.data + std::size_t{position} * layout_.unit_bytes(), now);
  }
  reads_.release(read);
  close_moved_pages(plane_of_source);
}

void Migrator::assemble(MovedUnit& unit, bool lasts, const std::byte* data, Tick now) {
  const FtlPlane source = layout_.mapping().plane_of(layout_.block_of(unit.source));
  const FtlPlane plane = room_.with_room(source, true);
  if (!plane.valid()) {
    unit_writes_.refused(unit, now);
    return;
  }
  unit.data = data;
  assembly_.put(unit, PageOrigin::migration, stream_of(unit.lpn, lasts), plane);
}

void Migrator::write_copy(Ppa first_unit, PageCopies& copies, Tick now) {
  const PageCopy& copy = copies.of(first_unit);
  const Superblock block = layout_.block_of(first_unit);
  for (std::uint32_t k = 0; k < layout_.units_per_page(); ++k) {
    const Ppa source(first_unit.value + k);
    const Lpn lpn = blocks_.held_by(source);
    if (!lpn.valid()) continue;
    MovedUnit& unit = units_.acquire(*this);
    unit.lpn = lpn;
    unit.source = source;
    unit.lost = map_.lost(lpn);
    unit.version = version_in(copy.tag[2 * k + 1]);
    unit.copied_in = &copies;
    copies.put_at_risk(source);
    collector_->steps_begun(block, 1);
    assemble(unit, true, copy.bytes.data() + std::size_t{k} * layout_.unit_bytes(), now);
  }
}

void Migrator::unit_refused(const MovedUnit& unit, Tick now) {
  if (unit.copied_in != nullptr) unit.copied_in->safe(unit.source, now);
  move_ended(unit.source, MoveEnd::not_written, now);
}

void Migrator::unit_programmed(const MovedUnit& unit, bool mapped, Tick now) {
  if (unit.copied_in != nullptr) unit.copied_in->safe(unit.source, now);
  move_ended(unit.source, mapped ? MoveEnd::moved : MoveEnd::overtaken, now);
}

}  // namespace nandscape::controller
