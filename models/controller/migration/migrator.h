// SPDX-License-Identifier: Apache-2.0
// Moves pages for a reason: reads what is valid of them and writes it through the same frontiers as the host's data, or
// has a whole page moved within its plane (copyback.h). A unit is mapped to its new place only if nothing newer has
// come meanwhile.
#pragma once

#include <cstdint>
#include <optional>

#include "controller/firmware/firmware_stage.h"
#include "controller/mapping/unit_map.h"
#include "controller/migration/copyback.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/reading/page_copies.h"
#include "controller/reading/page_reader.h"
#include "controller/streams/stream_policy.h"
#include "controller/writing/page_assembly.h"
#include "controller/writing/page_writer.h"
#include "controller/writing/unit_writes.h"
#include "controller/writing/write_streams.h"
#include "core/calendar.h"
#include "core/pool.h"

namespace nandscape::controller {

class Migrator {
 public:
  Migrator(const GarbageCollectionParameters& parameters, FlashIo& io, UnitMap& map, BlockTable& blocks,
           PlaneRoom& room, UnitWrites& units, PageReader& reader, PageWriter& writer, PageAssembly& assembly,
           StreamPolicy& streams, const WriteStreams& numbers, Calendar& calendar);

  void connect(GarbageCollector& collector) { collector_ = &collector; }
  // Whose time moves take; without it they take none.
  void set_firmware(FirmwareStage& firmware) { firmware_ = &firmware; }

  // Moves what is valid of the page of the flash whose first unit that is; the collector hears of each unit. Returns
  // how many those are.
  std::uint32_t move_page(Ppa first_unit, Reason reason, Tick now);
  // Writes what is valid of the page from its copy; each unit is at risk until it is programmed. The collector hears of
  // each, as of a move.
  void write_copy(Ppa first_unit, PageCopies& copies, Tick now);
  // A step of a renewal on that plane has ended, or nothing more is moved out of the plane: pages may be complete.
  void step_ended(FtlPlane source) { close_moved_pages(source); }
  void close_pages_of(FtlPlane source) { assembly_.close_moved_pages(source); }

 private:
  struct MovedUnit final : UnitWrite {
    explicit MovedUnit(Migrator& migrator) : owner(migrator) {}
    void programmed(Tick now) override { owner.unit_programmed(*this, now); }
    void refused(Tick now) override { owner.unit_refused(*this, now); }
    void release() override { owner.units_.release(*this); }

    Migrator& owner;
    PageCopies* copied_in = nullptr;  // where its data were copied before flash lost them
  };
  struct MigrationRead final : PageRead {
    explicit MigrationRead(Migrator& migrator) : PageRead(migrator.reader_), owner(migrator) {
      queue = QueueKind::background_read;
    }
    void page_read(Tick now) override { owner.units_read(*this, now); }

    Migrator& owner;
    UnitWrite* units = nullptr;
    bool lasts = false;  // they are there to stay
  };

  void start_read(MigrationRead& read);
  void start_copy(PageProgram& page) { writer_.assembled(page); }
  void units_read(MigrationRead& read, Tick now);
  // Puts the unit, whose data those are, into a page.
  void assemble(MovedUnit& unit, bool lasts, const std::byte* data, Tick now);
  void unit_programmed(MovedUnit& unit, Tick now);
  void unit_refused(const MovedUnit& unit, Tick now);
  // The move of the unit that was there is over. Pages of units that were moved out of that plane are written as they
  // are once nothing comes any more that could fill them up.
  void move_ended(Ppa source, MoveEnd end, Tick now);
  void close_moved_pages(FtlPlane source);
  // The stream that a unit moved out of the block goes to.
  std::uint8_t stream_of(Lpn lpn, Superblock source, bool lasts) const;
  // The stream that all these units of the block go to; none if that is not one.
  std::optional<std::uint8_t> stream_of_all(const UnitWrite* units, Superblock source, bool lasts) const;

  const FlashLayout& layout_;
  UnitMap& map_;
  BlockTable& blocks_;
  PlaneRoom& room_;
  UnitWrites& unit_writes_;
  PageReader& reader_;
  PageWriter& writer_;
  PageAssembly& assembly_;
  StreamPolicy& streams_;
  const WriteStreams numbers_;
  Calendar& calendar_;
  GarbageCollector* collector_ = nullptr;
  FirmwareStage* firmware_ = nullptr;
  Pool<MovedUnit> units_;
  OpPool<MigrationRead, Migrator> reads_;
  Copyback copyback_;
};

}  // namespace nandscape::controller
