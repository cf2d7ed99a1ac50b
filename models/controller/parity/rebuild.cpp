// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/rebuild.h"

#include <algorithm>

#include "controller/parity/page_xor.h"
#include "controller/writing/page_tag.h"

namespace nandscape {

void Rebuild::start(FlashTransaction& lost, Tick now) {
  const FlashLayout& layout = io_.layout();
  clear(lost);
  const std::uint32_t position = layout.member_of(lost.plane);
  const std::uint32_t row = lost.command.page;
  lost.rebuild_reads = layout.members() - 1;
  lost.rebuild_failed = false;
  for (std::uint32_t k = 0; k < layout.members(); ++k) {
    if (k == position) continue;
    FlashTransaction& read = io_.acquire(lost.purpose);
    read.rebuilds = &lost;
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

bool Rebuild::page_read(FlashTransaction& read) {
  FlashTransaction& lost = *read.rebuilds;
  // A page that was not programmed yet reads well, and says nothing of the lost one.
  if (read.ecc.uncorrectable || read.command.erased_page) {
    lost.rebuild_failed = true;
  } else {
    add(lost, read);
  }
  io_.release(read);
  if (--lost.rebuild_reads != 0) return false;
  lost.rebuilt = true;
  if (lost.rebuild_failed) {
    ++counters_.failed_rebuilds;
    return true;
  }
  lost.command.tag = std::span(lost.tag).first(2 * io_.layout().units_per_page());
  io_.decode(lost);
  return false;
}

void Rebuild::decoded(const FlashTransaction& lost) {
  ++(lost.ecc.uncorrectable ? counters_.failed_rebuilds : counters_.rebuilds);
}

void Rebuild::clear(FlashTransaction& lost) const {
  NandCommand& command = lost.command;
  io_.set_sensing_levels(lost, 1);  // the others are read hard
  command.erased_page = false;
  command.raw_bit_errors = command.worst_codeword_errors = 0;
  std::fill(command.codeword_errors.begin(), command.codeword_errors.end(), std::uint16_t{0});
  lost.tag.fill(0);
  lost.tag.front() = parity_mark;  // which the parity among the others takes away
  if (io_.path().keeps_data()) std::fill_n(command.data, io_.path().buffer_bytes(), std::byte{0});
}

void Rebuild::add(FlashTransaction& lost, const FlashTransaction& read) const {
  add_tag(lost.tag, read.command.tag);
  const DataPath& path = io_.path();
  if (!path.keeps_data()) return;
  const NandCommand& part = read.command;
  add_bytes(lost.command.data + part.first_byte, part.data + part.first_byte, part.bytes);
  if (path.content != PageContent::data_and_spare) return;
  const std::uint32_t first = path.layout.parity_byte(part.first_byte / path.layout.codeword_bytes);
  const std::uint32_t end = path.layout.parity_byte((part.first_byte + part.bytes) / path.layout.codeword_bytes);
  add_bytes(lost.command.data + first, part.data + first, end - first);
}

}  // namespace nandscape
