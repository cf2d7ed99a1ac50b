// SPDX-License-Identifier: Apache-2.0
// Undoes the map of states that a page was written with (content/state_mapping.h), which its tag names. Two of three
// maps mix the bits of both pages of a wordline: then the other page is read, too, when the page has been decoded, or
// taken from the controller's buffer while its wordline is being programmed. Where no data are kept it is read all the
// same, for the time that it takes, and whatever it holds: pages are not gathered there, and each has a map of its own.
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
#include "controller/reading/page_undo.h"
#include "controller/writing/undurable_pages.h"
#include "core/archive.h"

namespace nandscape::controller {

class MappedReads final : public PageUndo {
 public:
  MappedReads(FlashIo& io, PageReader& reader, const BlockTable& blocks, const UndurablePages& undurable);

  bool goes_on(PageRead& read, Tick now) override;

  // Pages that were read for others to be undone.
  std::uint64_t other_reads() const { return other_reads_; }
  void persist_counters(Archive& archive) { archive(other_reads_); }

 private:
  struct OtherRead final : PageRead {
    explicit OtherRead(MappedReads& stage) : PageRead(stage.reader_), owner(stage) {}
    void recovery_ended(Tick now) override { owner.reader_.end(*this, now); }  // it stays as it is stored
    void page_read(Tick now) override { owner.other_read(*this, now); }

    MappedReads& owner;
    PageRead* of = nullptr;
  };

  void other_read(OtherRead& read, Tick now);
  // The page of the same wordline in the controller's buffer; null: it is on flash.
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
