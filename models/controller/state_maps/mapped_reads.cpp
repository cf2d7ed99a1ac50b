// SPDX-License-Identifier: Apache-2.0
#include "controller/state_maps/mapped_reads.h"

#include "controller/mapping/page_tag.h"

namespace nandscape::controller {

namespace {

PairedPage page_of_wordline(const PageRead& read) { return static_cast<PairedPage>(read.command.page % 2); }

}  // namespace

MappedReads::MappedReads(FlashIo& io, PageReader& reader, const BlockTable& blocks, const UndurablePages& undurable)
    : io_(io), reader_(reader), blocks_(blocks), undurable_(undurable), reads_(io, *this) {}

bool MappedReads::goes_on(PageRead& read, Tick now) {
  if (read.ecc.uncorrectable) return false;
  const std::uint8_t map = state_map_in(read.command.tag);
  if (map == 0) return false;
  // If the tag is damaged, it may contain a number for which there is no map.
  if (map >= StateMapping::mappings) {
    read.ecc.uncorrectable = true;
    return false;
  }
  if (!StateMapping(map).mixes(page_of_wordline(read))) {
    undo(read, {});
    return false;
  }
  if (const PageProgram* const other = other_in_buffer(read)) {
    undo(read, bytes_of(*other, read));
    return false;
  }
  ++other_reads_;
  OtherRead& other = reads_.acquire();
  other.of = &read;
  // A host read may suspend a program, and must not read the wordline that is being programmed. If the block may have a
  // program in flight, a background read is used, because it waits for the program.
  other.queue = blocks_.may_be_programmed(read.block) ? QueueKind::background_read : read.queue;
  other.stream = read.stream;
  other.priority = read.priority;
  const FlashLayout& layout = io_.layout();
  const Ppa unit = layout.first_unit(read.block, read.command.page ^ 1u, layout.member_of(read.plane));
  reader_.start(other, unit, read.command.first_byte, read.command.first_byte + read.command.bytes, now);
  return true;
}

void MappedReads::other_read(OtherRead& other, Tick now) {
  PageRead& read = *other.of;
  if (tells(other, read)) {
    undo(read, bytes_of(other, read));
  } else {
    read.ecc.uncorrectable = true;
  }
  reads_.release(other);
  reader_.end(read, now);
}

bool MappedReads::tells(const OtherRead& other, const PageRead& read) const {
  if (other.ecc.uncorrectable && !other.command.erased_page) return false;
  if (!io_.path().keeps_data()) return true;
  return !other.command.erased_page && state_map_in(other.command.tag) == state_map_in(read.command.tag);
}

const PageProgram* MappedReads::other_in_buffer(const PageRead& read) const {
  const Ppa first_unit(read.ppa.value - io_.layout().unit_in_page(read.ppa));
  const PageProgram* found = nullptr;
  undurable_.for_each([&](const PageProgram& page) {
    if (page.ppa == first_unit && page.pair.other != nullptr) found = page.pair.other;
  });
  return found;
}

std::span<std::byte> MappedReads::bytes_of(const FlashOp& op, const PageRead& read) const {
  if (!io_.path().keeps_data()) return {};
  return {op.command.data + read.command.first_byte, read.command.bytes};
}

void MappedReads::undo(PageRead& read, std::span<const std::byte> other) const {
  if (!io_.path().keeps_data()) return;
  StateMapping(state_map_in(read.command.tag)).undo(page_of_wordline(read), bytes_of(read, read), other);
}

}  // namespace nandscape::controller
