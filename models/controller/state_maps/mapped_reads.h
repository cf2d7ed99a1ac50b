// SPDX-License-Identifier: Apache-2.0
// Undoes the state map with which a page was written (see content/state_mapping.h), so that the page has its original
// bytes again. The tag of the page contains the number of the map. Two thirds of the maps mix the bits of both pages of
// a wordline. For these, the other page is needed as well. It is read after this page has been decoded, or taken from
// the controller's buffer while its wordline is being programmed. If the simulation keeps no data, the other page is
// read only to model the time for it. Pages are then not gathered into wordlines, so each page has a map of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "controller/content/state_mapping.h"
#include "controller/flash_ops/flash_io.h"
#include "controller/flash_ops/op_pool.h"
#include "controller/mapping/block_table.h"
#include "controller/reading/page_read.h"
#include "controller/reading/page_reader.h"
#include "controller/writing/page_program.h"
#include "core/archive.h"
#include "core/component.h"

namespace nandscape::controller {

class MappedReads final : public Component, public PageUndo {
 public:
  MappedReads(FlashIo& io, PageReader& reader, const BlockTable& blocks, const UndurablePages& undurable);

  bool goes_on(PageRead& read, Tick now) override;

  // Returns the number of pages that were read only because the map of another page had to be undone.
  std::uint64_t other_reads() const { return other_reads_; }
  void persist_counters(Archive& archive) override { archive(other_reads_); }

 private:
  struct OtherRead final : PageRead {
    explicit OtherRead(MappedReads& stage) : PageRead(stage.reader_), owner(stage) {}
    // The map of this page itself is not undone.
    void recovery_ended(Tick now) override { owner.reader_.end(*this, now); }
    void page_read(Tick now) override { owner.other_read(*this, now); }

    MappedReads& owner;
    PageRead* of = nullptr;
  };

  void other_read(OtherRead& read, Tick now);
  // Returns the other page of the wordline if it is in the controller's buffer, or null if it is on flash.
  const PageProgram* other_in_buffer(const PageRead& read) const;
  bool tells(const OtherRead& other, const PageRead& read) const;
  std::span<std::byte> bytes_of(const FlashOp& op, const PageRead& read) const;
  void undo(PageRead& read, std::span<const std::byte> other) const;

  FlashIo& io_;
  PageReader& reader_;
  const BlockTable& blocks_;
  const UndurablePages& undurable_;
  OpPool<OtherRead, MappedReads> reads_;
  std::uint64_t other_reads_ = 0;
};

}  // namespace nandscape::controller
