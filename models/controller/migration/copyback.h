// SPDX-License-Identifier: Apache-2.0
// Moves whole pages within their plane without transferring them to the controller: the die reads a page to its page
// register and programs it from there (the copyback of ONFI). Bit errors are not corrected on the way and accumulate,
// so data may be moved in this way only a few times in a row. If the program of the new page fails, the page is read
// from its old address and written like any other page.
//
// Collection leaves the tag of the page as it is. A page of the SLC cache gets a new one, because its tag names the
// mode of its block: the controller reads the tag from the page register and sends it back changed, as ONFI's copyback
// with data modification allows.
#pragma once

#include <cstdint>

#include "controller/mapping/block_ages.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/plane_room.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/reading/page_reader.h"
#include "controller/writing/page_writer.h"

namespace nandscape::controller {

// Which data are moved by copyback.
struct CopybackUse {
  std::uint32_t limit = 0;  // how often in a row collection and wear levelling copy a page; 0: never
  bool folds = false;       // whether blocks of the SLC cache are folded directly
  double fold_hours = 0;    // the greatest age of such blocks, in equivalent hours at 30 C
};

class Copyback final : private PageMover {
 public:
  Copyback(const CopybackUse& use, FlashIo& io, const BlockTable& blocks, const BlockAges& ages, const PlaneRoom& room,
           PageReader& reader, PageWriter& writer);

  // Returns whether the units, which fill one page, may be moved by copyback. Data that are moved because of their bit
  // errors may not, since the errors must be corrected.
  [[nodiscard]] bool may_move(const UnitWrite& units, Reason reason, Tick now) const;
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

  bool used_for(Superblock source, Reason reason, Tick now) const;

  const CopybackUse use_;
  FlashIo& io_;
  const FlashLayout& layout_;
  const BlockTable& blocks_;
  const BlockAges& ages_;
  const PlaneRoom& room_;
  PageReader& reader_;
  PageWriter& writer_;
  OpPool<ReadBack, Copyback> reads_;
};

}  // namespace nandscape::controller
