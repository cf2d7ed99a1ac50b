// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/rebuild.h"

#include <algorithm>

#include "controller/mapping/page_tag.h"
#include "controller/parity/parity.h"
#include "controller/reading/page_reader.h"

namespace nandscape::controller {

Rebuild::Rebuild(FlashIo& io, PageReader& reader, const BlockTable& blocks)
    : io_(io), reader_(reader), blocks_(blocks), reads_(io, *this) {
  if (!reader.needs().oracle) twice_.emplace(VariantChoice{"regular", nullptr});
}

bool Rebuild::goes_on(PageRead& read, Tick now) {
  if (read.remade != nullptr) {
    ++(read.ecc.uncorrectable ? counters_.failed_rebuilds : counters_.rebuilds);
    return false;
  }
  if (!read.ecc.uncorrectable || !read.worth_remaking) return false;
  start(read, now);
  return true;
}

void Rebuild::start(PageRead& lost, Tick now) {
  const FlashLayout& layout = io_.layout();
  clear(lost);
  const std::uint32_t position = layout.member_of(lost.plane);
  const std::uint32_t row = lost.command.page;
  PageRebuild& rebuild = rebuilds_.acquire();
  rebuild.lost = &lost;
  rebuild.reads_left = layout.members() - 1;
  rebuild.tag.front() = parity_mark;  // the mark in the parity page of the row cancels this mark
  lost.remade = &rebuild;
  // A host read may suspend a program, and must not read the wordline that is being programmed. If the block may have a
  // program in flight, background reads are used for the pages of the row, because they wait for the program.
  for (std::uint32_t k = 0; k < layout.members(); ++k) {
    if (k == position) continue;
    RowRead& read = reads_.acquire();
    read.of = &rebuild;
    read.recovery = twice_ ? &*twice_ : nullptr;
    read.queue = blocks_.may_be_programmed(lost.block) ? QueueKind::background_read : lost.queue;
    read.stream = lost.stream;
    read.priority = lost.priority;
    read.block = lost.block;
    FlashIo::set_address(read, layout.find(lost.block, row, k));
    read.command.first_byte = lost.command.first_byte;
    read.command.bytes = lost.command.bytes;
    read.command.tag = std::span(read.tag).first(2 * layout.units_per_page());
    io_.read(read, now);
  }
}

void Rebuild::row_page_read(RowRead& read, Tick now) {
  PageRebuild& rebuild = *read.of;
  PageRead& lost = *rebuild.lost;
  // A read of an erased page succeeds. The row is then incomplete and its parity has not been written, so the lost page
  // cannot be computed.
  if (read.ecc.uncorrectable || read.command.erased_page) {
    rebuild.failed = true;
  } else {
    add(rebuild, read);
  }
  reads_.release(read);
  if (--rebuild.reads_left != 0) return;
  rebuild.complete = true;
  if (rebuild.failed) {
    ++counters_.failed_rebuilds;
    reader_.end(lost, now);
    return;
  }
  lost.tag = rebuild.tag;
  lost.command.tag = std::span(lost.tag).first(2 * io_.layout().units_per_page());
  io_.decode(lost);
}

void Rebuild::clear(PageRead& lost) const {
  NandCommand& command = lost.command;
  io_.set_sensing_levels(lost, 1);  // because the other pages of the row are read with hard reads
  command.erased_page = false;
  command.raw_bit_errors = command.worst_codeword_errors = 0;
  std::fill(command.codeword_errors.begin(), command.codeword_errors.end(), std::uint16_t{0});
  if (io_.path().keeps_data()) std::fill_n(command.data, io_.path().buffer_bytes(), std::byte{0});
}

void Rebuild::add(PageRebuild& rebuild, const RowRead& read) const {
  add_tag(rebuild.tag, read.command.tag);
  PageRead& lost = *rebuild.lost;
  const DataPath& path = io_.path();
  if (!path.keeps_data()) return;
  const NandCommand& part = read.command;
  add_bytes(lost.command.data + part.first_byte, part.data + part.first_byte, part.bytes);
  if (path.content != PageContent::data_and_spare) return;
  const std::uint32_t first = path.layout.parity_byte(part.first_byte / path.layout.codeword_bytes);
  const std::uint32_t end = path.layout.parity_byte((part.first_byte + part.bytes) / path.layout.codeword_bytes);
  add_bytes(lost.command.data + first, part.data + first, end - first);
}

}  // namespace nandscape::controller
