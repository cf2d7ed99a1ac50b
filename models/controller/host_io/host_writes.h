// SPDX-License-Identifier: Apache-2.0
// Executes writes of the host. A write of a whole unit is put into a page at once. A write of a part of a unit is first
// merged with the unit's previous content. A write completes when its page is programmed and mapped, and a write with
// forced unit access when its page is durable. Until then, reads return the old data. Several writes to the same unit
// are executed one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/host_io/end_of_life.h"
#include "controller/host_io/host_port.h"
#include "controller/mapping/unit_map.h"
#include "controller/reading/page_reader.h"
#include "controller/slc_cache/slc_cache.h"
#include "controller/streams/stream_policy.h"
#include "controller/writing/page_assembly.h"
#include "controller/writing/page_program.h"
#include "controller/writing/plane_choice.h"
#include "controller/writing/unit_write.h"
#include "controller/writing/unit_writes.h"
#include "core/component.h"
#include "core/pool.h"

namespace nandscape::controller {

class HostWrites final : public Component, public UnitGatherer::Client {
 public:
  HostWrites(FlashIo& io, UnitMap& map, UnitWrites& units, PageReader& reader, PageAssembly& assembly,
             const UndurablePages& undurable, StreamPolicy& streams, SlcCache* cache, PlaneChooser& planes,
             EndOfLife& end_of_life, const PowerState& power, const HostPort& host);

  // Makes writes of whole units pass through `gatherer`, which groups them, before they are put into pages.
  void gather_units(UnitGatherer& gatherer) { gatherer_ = &gatherer; }
  // Writes the units that the gatherer holds, without waiting for more units.
  void release_gathered(Tick now) {
    if (gatherer_ != nullptr) gatherer_->release(now);
  }

  void write(PageAccess& access, Tick now);
  // Called when a unit has been written again after a failed program. Continues the merges that wait for this unit.
  void go_on_merging(Lpn rewritten, Tick now);
  // Abandons the writes that still wait for a merge.
  void give_up_merges();

  std::uint64_t sectors_written() const { return sectors_written_; }
  std::uint64_t merge_reads() const { return merge_reads_count_; }
  void persist_counters(Archive& archive) override { archive(sectors_written_, merge_reads_count_); }

  // UnitGatherer::Client
  void write_alone(UnitWrite& unit, Tick now) override { put_in_page(unit, now); }

 private:
  struct HostUnit final : UnitWrite {
    explicit HostUnit(HostWrites& writes) : owner(writes) {}
    void programmed(bool, Tick) override { owner.sectors_written_ += access->sector_count; }
    void refused(Tick now) override { owner.unit_refused(*this, now); }
    void release() override { owner.unit_pool_.release(*this); }
    void copy_data(std::byte* bytes) const override;

    HostWrites& owner;
    bool merged = false;                  // with the unit's old content, because the host wrote only a part
    const std::byte* old_unit = nullptr;  // the old content; null if the simulation keeps no data
  };
  struct MergeRead final : PageRead {
    explicit MergeRead(HostWrites& writes) : PageRead(writes.reader_), owner(writes) {}
    void page_read(Tick now) override { owner.old_unit_read(*this, now); }

    HostWrites& owner;
    HostUnit* unit = nullptr;  // the write whose unit is being read
  };

  void read_old_unit(HostUnit& unit, Tick now);
  void old_unit_read(MergeRead& read, Tick now);
  bool being_rewritten(Lpn lpn, Ppa place) const;
  void put(HostUnit& unit, Tick now);
  void put_in_page(UnitWrite& unit, Tick now);
  void unit_refused(HostUnit& unit, Tick now);

  FlashIo& io_;
  UnitMap& map_;
  UnitWrites& units_;
  PageReader& reader_;
  PageAssembly& assembly_;
  const UndurablePages& undurable_;
  StreamPolicy& streams_;
  SlcCache* const cache_;  // null if the drive has none
  PlaneChooser& planes_;
  EndOfLife& end_of_life_;
  const PowerState& power_;
  const HostPort& host_;
  Pool<HostUnit> unit_pool_;
  OpPool<MergeRead, HostWrites> merge_reads_;
  std::vector<HostUnit*> waiting_merges_;  // wait until the unit that they merge with is written again
  UnitGatherer* gatherer_ = nullptr;
  std::uint64_t sectors_written_ = 0;
  std::uint64_t merge_reads_count_ = 0;
};

}  // namespace nandscape::controller
