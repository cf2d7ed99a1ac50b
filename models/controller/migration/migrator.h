// SPDX-License-Identifier: Apache-2.0
// Moves pages of a victim. The valid units of a page are read and written through the same write frontiers as host
// data, or a whole page is moved within its plane by copyback (copyback.h). A unit is mapped to its new address only if
// no newer version of the unit has arrived in the meantime.
//
// The entries of a page's units are looked up before the page is read or copied. The result is known here; only the
// time and the memory traffic of the look-ups matter (mapping_memory.h).
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "controller/firmware/firmware_stage.h"
#include "controller/mapping/mapping_cache.h"
#include "controller/mapping/unit_map.h"
#include "controller/migration/copyback.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/reading/page_copies.h"
#include "controller/reading/page_reader.h"
#include "controller/streams/stream_policy.h"
#include "controller/writing/page_assembly.h"
#include "controller/writing/page_writer.h"
#include "controller/writing/unit_writes.h"
#include "controller/writing/writing_state.h"
#include "core/calendar.h"
#include "core/pool.h"

namespace nandscape::controller {

class Migrator final : public GarbageCollector::Mover {
 public:
  Migrator(const CopybackUse& copybacks, FlashIo& io, UnitMap& map, MappingCache& cache, BlockTable& blocks,
           const BlockAges& ages, PlaneRoom& room, UnitWrites& units, PageReader& reader, PageWriter& writer,
           PageAssembly& assembly, StreamPolicy& streams, const WriteStreams& numbers, Calendar& calendar);

  void connect(GarbageCollector& collector) { collector_ = &collector; }
  // Makes each move use processor time of the firmware. Without this call, moves use none.
  void set_firmware(FirmwareStage& firmware) { firmware_ = &firmware; }

  // Tells the stream policy about a victim that is emptied for space.
  void victim_chosen(Superblock victim, Reason reason) override;
  // Starts to move the valid units of the page that begins at `first_unit`. GarbageCollector::page_moved() is called
  // when the move of each unit ends. Returns the number of these units.
  std::uint32_t move_page(Ppa first_unit, Reason reason, Tick now) override;
  // Writes the valid units of the page from its copy in memory. Each unit is marked as at risk until it is programmed.
  // GarbageCollector::page_moved() is called when the write of each unit ends, as for a move.
  void write_copy(Ppa first_unit, PageCopies& copies, Tick now);
  // step_ended() is called when a step of a renewal on that plane has ended. It writes partly filled pages if no more
  // units are on the way to them. close_pages_of() writes them at once, because nothing more is moved out of the plane.
  void step_ended(FtlPlane source) { close_moved_pages(source); }
  void close_pages_of(FtlPlane source) { assembly_.close_moved_pages(source); }

 private:
  struct MovedUnit final : UnitWrite {
    explicit MovedUnit(Migrator& migrator) : owner(migrator) {}
    void programmed(bool mapped, Tick now) override { owner.unit_programmed(*this, mapped, now); }
    void refused(Tick now) override { owner.unit_refused(*this, now); }
    void release() override { owner.units_.release(*this); }
    void copy_data(std::byte* bytes) const override { std::memcpy(bytes, data, owner.layout_.unit_bytes()); }

    Migrator& owner;
    const std::byte* data = nullptr;  // valid only while the unit is being put into a page
    PageCopies* copied_in = nullptr;  // copy of data that flash may have lost; null: there is no copy
  };
  struct MigrationRead final : PageRead {
    explicit MigrationRead(Migrator& migrator) : PageRead(migrator.reader_), owner(migrator) {
      queue = QueueKind::background_read;
    }
    void renew() { renew_read(); }
    void page_read(Tick now) override { owner.units_read(*this, now); }

    Migrator& owner;
    UnitWrite* units = nullptr;
    bool lasts = false;  // the data are expected to stay at their new address for long
  };

  // A page whose units are being looked up, and what then begins: either a read or a copyback.
  struct PageLookUp {
    std::uint32_t units = 0;  // look-ups that have not ended
    MigrationRead* read = nullptr;
    PageProgram* copy = nullptr;
  };
  struct UnitLookUp final : MappingWaiter {
    explicit UnitLookUp(Migrator& migrator) : owner(migrator) {}
    void translated(Tick) override { owner.looked_up(*this); }

    Migrator& owner;
    PageLookUp* page = nullptr;
  };

  void start_read(MigrationRead& read) {
    if (at_hand(read.units, &read, nullptr)) send_read(read);
  }
  void start_copy(PageProgram& page) {
    if (at_hand(page.units, nullptr, &page)) writer_.assembled(page);
  }
  // Looks up the entries of the units. Returns true if this takes no time. Otherwise the read or the copyback begins
  // when all look-ups have ended.
  bool at_hand(const UnitWrite* units, MigrationRead* read, PageProgram* copy) {
    return cache_.moves_at_hand() || look_up(units, read, copy);
  }
  bool look_up(const UnitWrite* units, MigrationRead* read, PageProgram* copy);
  void looked_up(UnitLookUp& unit);
  void send_read(MigrationRead& read);
  void units_read(MigrationRead& read, Tick now);
  // Puts the unit with the given data into a page.
  void assemble(MovedUnit& unit, bool lasts, const std::byte* data, Tick now);
  void unit_programmed(const MovedUnit& unit, bool mapped, Tick now);
  void unit_refused(const MovedUnit& unit, Tick now);
  // Called when the move of the unit from `source` ends. Writes partly filled pages if no more units are on the way to
  // them.
  void move_ended(Ppa source, MoveEnd end, Tick now);
  void close_moved_pages(FtlPlane source);
  // Returns the write stream for a unit that is moved.
  std::uint8_t stream_of(Lpn lpn, bool lasts) const;
  // Returns the common write stream of the units, or nothing if they belong to different streams.
  std::optional<std::uint8_t> stream_of_all(const UnitWrite* units, bool lasts) const;

  const FlashLayout& layout_;
  UnitMap& map_;
  MappingCache& cache_;
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
  Pool<PageLookUp> page_look_ups_;
  Pool<UnitLookUp> unit_look_ups_;
};

}  // namespace nandscape::controller
