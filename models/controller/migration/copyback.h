// SPDX-License-Identifier: Apache-2.0
// Moves whole pages within their plane without transferring them to the controller: the die reads a page to its page
// register and programs it from there (the copyback of ONFI). Bit errors are not corrected on the way and accumulate,
// so data may be moved in this way only a few times in a row. If the program of the new page fails, the page is read
// from its old address and written like any other page.
#pragma once

#include <cstdint>

#include "controller/mapping/block_table.h"
#include "controller/mapping/plane_room.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/reading/page_reader.h"
#include "controller/writing/page_writer.h"

namespace nandscape::controller {

class Copyback final : private PageMover {
 public:
  Copyback(const GarbageCollectionParameters& parameters, FlashIo& io, const BlockTable& blocks, const PlaneRoom& room,
           PageReader& reader, PageWriter& writer);

  // Returns whether the units, which fill one page, may be moved by copyback. Data that are moved because of their bit
  // errors may not, since the errors must be corrected.
  [[nodiscard]] bool may_move(const UnitWrite& units, Reason reason) const;
  // Returns a page program that moves the units of the page that begins at `first_unit` by copyback.
  PageProgram& make(Ppa first_unit, std::uint8_t stream, UnitWrite& units);

 private:
  struct ReadBack final : PageRead {
    explicit ReadBack(Copyback& copyback) : PageRead(copyback.reader_), owner(copyback) {
      queue = QueueKind::background_read;
    }
    void page_read(Tick) override { owner.came_back(*this); }

    Copyback& owner;
    PageProgram* page = nullptr;
  };

  void lost(PageProgram& page, Tick now) override;
  void came_back(ReadBack& read);

  const bool used_;
  const std::uint32_t limit_;
  FlashIo& io_;
  const FlashLayout& layout_;
  const BlockTable& blocks_;
  const PlaneRoom& room_;
  PageReader& reader_;
  PageWriter& writer_;
  OpPool<ReadBack, Copyback> reads_;
};

}  // namespace nandscape::controller
