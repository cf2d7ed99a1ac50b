// SPDX-License-Identifier: Apache-2.0
// Moves whole pages within their plane without passing them through the controller: reads a page to the die's page
// register and programs it from there (copyback of ONFI). Errors are not corrected on the way and add up, so data are
// moved in this way only a few times in a row. A page that loses its new place is read from its old place and written
// like any other page.
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

  // Whether these units, which fill one page, may move by copyback. Data that move because of their errors may not,
  // since they must be corrected.
  [[nodiscard]] bool may_move(const UnitWrite& units, Reason reason) const;
  // Makes a page program that moves these units, which begin at `first_unit`.
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
