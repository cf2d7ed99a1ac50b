// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/copyback.h"

#include <cstring>

namespace nandscape::controller {

Copyback::Copyback(const CopybackUse& use, FlashIo& io, const BlockTable& blocks, const BlockAges& ages,
                   const PlaneRoom& room, PageReader& reader, PageWriter& writer)
    : use_(use),
      io_(io),
      layout_(io.layout()),
      blocks_(blocks),
      ages_(ages),
      room_(room),
      reader_(reader),
      writer_(writer),
      reads_(io, *this) {}

// Data in the cache were written by the host, so a fold is their first copy.
bool Copyback::used_for(Superblock source, Reason reason, Tick now) const {
  if (reason == Reason::fold) return use_.folds && ages_.of(source, now).age_hours <= use_.fold_hours;
  return (reason == Reason::space || reason == Reason::wear) && blocks_.copies(source) < use_.limit;
}

bool Copyback::may_move(const UnitWrite& units, Reason reason, Tick now) const {
  const Superblock source = layout_.block_of(units.source);
  if (!used_for(source, reason, now)) return false;
  const FtlPlane plane = layout_.mapping().plane_of(source);
  if (room_.with_room(plane, true) != plane) return false;
  for (const UnitWrite* unit = &units; unit != nullptr; unit = unit->next_in_page) {
    if (unit->lost) return false;
  }
  return true;
}

PageProgram& Copyback::make(Ppa first_unit, std::uint8_t stream, UnitWrite& units) {
  const Superblock source = layout_.block_of(first_unit);
  PageProgram& page = writer_.make_page(PageOrigin::migration, stream, layout_.mapping().plane_of(source));
  page.mover = this;
  page.moved_from = first_unit;
  page.units = &units;
  page.unit_count = layout_.units_per_page();
  for (UnitWrite* unit = &units; unit != nullptr; unit = unit->next_in_page) unit->copied = true;
  page.command.operation = NandOperation::copyback_read;
  page.command.mode = ProgramMode::native;
  page.may_join = blocks_.shape(source).cached;
  if (page.may_join) page.command.tag = std::span(page.tag).first(2 * layout_.units_per_page());
  page.command.data = nullptr;
  page.command.bytes = 0;
  FlashIo::set_address(page, layout_.find(first_unit));
  return page;
}

void Copyback::lost(PageProgram& page, Tick now) {
  ReadBack& read = reads_.acquire();
  read.page = &page;
  read.lpn = page.units->lpn;
  read.command.tag = std::span(read.tag).first(2 * layout_.units_per_page());
  reader_.start(read, page.moved_from, 0, layout_.flash().page_bytes, now);
}

void Copyback::came_back(ReadBack& read) {
  PageProgram& page = *read.page;
  page.mover = nullptr;
  page.command.operation = NandOperation::program;
  page.command.bytes = layout_.flash().page_bytes;
  page.command.retry_step = 0;
  if (io_.path().keeps_data()) {
    page.command.data = page.buffer->data.get();
    std::memcpy(page.command.data, read.command.data, page.command.bytes);
  }
  std::size_t word = 0;
  for (UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page, word += 2) {
    unit->copied = false;
    unit->version = version_in(read.tag[word + 1]);
    unit->lost |= read.ecc.uncorrectable;
  }
  reads_.release(read);
  writer_.assembled(page);
}

}  // namespace nandscape::controller
