// SPDX-License-Identifier: Apache-2.0
// The flash translation layer: logical pages in, flash commands out.
//
//   read   look the page up, read it, decode it
//   write  of a whole page: put it into a page of the flash, program that, map it
//          of a part of a page: read and decode the old page first, merge
//   trim   forget the page
//   flush  wait until what is programmed is durable
//
// A write is done when its page is programmed and mapped; one with forced access when it is durable. Until then reads
// return the old data.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "controller/data_path.h"
#include "controller/flash_io.h"
#include "controller/garbage_collection/garbage_collector.h"
#include "controller/mapping/allocation_order.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/flash_layout.h"
#include "controller/mapping/initial_fill.h"
#include "controller/mapping/mapping_cache.h"
#include "controller/mapping/mapping_table.h"
#include "controller/parameters.h"
#include "controller/parity/parity_counters.h"
#include "controller/parity/superblock_erases.h"
#include "controller/power_loss_counters.h"
#include "controller/reading/page_reader.h"
#include "controller/recovery/journal_writer.h"
#include "controller/recovery/recovery.h"
#include "controller/recovery/recovery_scan.h"
#include "controller/recovery/trim_journal.h"
#include "controller/refresh/read_disturb.h"
#include "controller/refresh/scrub.h"
#include "controller/scheduler/flash_scheduler.h"
#include "controller/start_up.h"
#include "controller/streams/stream_policy.h"
#include "controller/wear_levelling/static_wear_levelling.h"
#include "controller/writing/fullpages.h"
#include "controller/writing/page_writer.h"
#include "controller/writing/writes_in_flight.h"
#include "core/calendar.h"
#include "core/pool.h"
#include "core/statistics.h"
#include "protocol/geometry.h"
#include "protocol/storage.h"

namespace nandscape {

struct RecoveryCounters {
  std::uint64_t journal_pages = 0;
  std::uint64_t checkpoint_pages = 0;
  std::uint64_t scanned_pages = 0;
  Tick time = 0;
};
void describe(const RecoveryCounters& counters, StatisticsVisitor& visitor);

struct ControllerCounters {
  std::uint64_t host_sectors_written = 0;
  std::uint64_t unmapped_reads = 0;
  std::uint64_t merge_reads = 0;
  std::uint64_t programmed_pages = 0;
  std::uint64_t padding_pages = 0;
  std::uint64_t host_pages = 0;
  std::uint64_t unfilled_units = 0;
  std::uint64_t failed_programs = 0;
  std::uint64_t failed_erases = 0;
  std::uint64_t scrubbed_pages = 0;
  std::uint64_t stalls = 0;
  bool read_only = false;
  std::uint32_t page_bytes = 0;
  ReadRetryCounters read_retry;
  ParityCounters parity;
  GarbageCollectionCounters collection;
  RecoveryCounters recovery;
  SchedulerCounters scheduler;
  MappingCacheCounters mapping_cache;
  FullpageCounters fullpages;
  PowerLossCounters power_loss;

  double write_amplification() const;
};
void describe(const ControllerCounters& counters, StatisticsVisitor& visitor);

// What so many blocks may hold, in mapping units, so that collection always finds one of them from which it gains a
// page of the flash. A block with fewer invalid units than a page holds gains none.
std::uint64_t collectable_units(const FlashLayout& layout, std::uint64_t blocks);
// Mapping units that the device exports. Throws ConfigError unless garbage collection can always make progress: what
// the host may write must leave every plane room for the blocks being written, the reserve, translation pages, and
// enough invalid pages to gain from.
std::uint64_t exported_pages(const ControllerParameters& parameters, const Geometry& geometry);
// Throws ConfigError when pages or dies cannot be divided as asked.
FlashLayout flash_layout(const ControllerParameters& parameters, const Geometry& geometry);

// How fullpages are spread over layers; none where they are not.
std::optional<FullpagePattern> fullpage_pattern(const ControllerParameters& parameters, const Geometry& geometry);

class Controller final : public StorageDevice,
                         private Fullpages::Client,
                         private FlashScheduler::Client,
                         private GarbageCollector::Mover,
                         private PageReader::Client,
                         private PageWriter::Client,
                         private JournalWriter::Client,
                         private RecoveryScan::Client,
                         private MappingCache::Client {
 public:
  // Reads move whole codewords over the bus.
  Controller(const ControllerParameters& parameters, const Geometry& geometry, const DataPath& path, std::uint64_t seed,
             Calendar& calendar, FlashScheduler::Port& flash, EccPort& ecc,
             StartUp start_up = StartUp::as_preconditioned);

  void set_client(StorageClient& client) override { client_ = &client; }
  void submit(PageAccess& access, Tick now) override;
  std::uint64_t logical_pages() const override { return logical_pages_; }
  std::uint32_t page_bytes() const override { return layout_.unit_bytes(); }
  std::uint32_t pages_written_together() const override { return layout_.units_per_page(); }
  std::uint64_t save_room() const override;
  bool read_only() const override { return read_only_; }
  DeviceHealth health() const override;

  // Reads from the flash what it holds, and says when that is known. Accesses wait until then.
  void recover(Tick now, std::function<void()> recovered = {});
  bool recovering() const { return recovery_ != nullptr; }
  // Before the drive is switched off, settled: the next recovery has no tags to read.
  void write_checkpoint(Tick now);
  bool writes_checkpoints() const { return keeps_checkpoints(parameters_); }
  // The power fails, and a capacitor still feeds the controller: from now on a flush makes everything durable.
  void save(Tick now);

  // Time that is not simulated has passed with the device switched on, in hours as if at 30 C. It does what it has to
  // do against the ageing of its data.
  void advance(double hours, Tick now);

  // controller_state.cpp
  // While it saves: collection goes no further.
  void halt_collection() { collector_.halt(); }
  bool all_durable() const { return writer_.undurable_pages() == 0; }
  // All is durable, and nothing is under way or waits for anything but its time.
  bool settled() const;
  // Writes or reads back what the controller knows; it must be settled.
  void persist(Archive& archive);
  void persist_checkpoint(Archive& archive) { archive(checkpoint_); }
  // What it has counted. Of another power cycle's controller, too.
  void persist_counters(Archive& archive);
  // How many pages of the block of the flash the controller takes to be programmed, where that has to be so.
  std::optional<std::uint32_t> programmed_pages(PlaneId flash_plane, std::uint32_t block_of_plane) const;
  PowerLossCounters& power_loss() { return counters_.power_loss; }
  // Whose time moves and erases take; without any they take none.
  void set_firmware(FirmwareStage& firmware) { firmware_ = &firmware; }

  // Phases from the channels and answers from the ECC engines.
  FlashScheduler& scheduler() { return scheduler_; }
  void ecc_done(EccJob& job, Tick now);

  // What the flash holds from the start, in the places that the layout gives it.
  const InitialFill& initial_fill() const { return initial_; }
  const FlashLayout& layout() const { return layout_; }

  ControllerCounters counters() const;
  // controller_progress.cpp: what every queue holds.
  std::string waiting() const;
  // Accesses are open, and no event is left that could complete one. Schedules their end: the drive becomes read-only,
  // and what still waits then fails. False when there is nothing left that it could end.
  bool end_stall(Tick now);
  // Why that was necessary, or collection had to give up; empty if it never was.
  const std::string& stall_report() const { return stall_report_; }
  // Whether no access and no collection is under way: no transaction is in use, no block waits for a command.
  bool idle() const;

 private:
  // controller_mapping.cpp: the mapping where part of it is on flash.
  // Whether the access may go on; if not, it does once its entry of the mapping is at hand.
  bool entry_at_hand(PageAccess& access, Tick now);
  void mapping_changed(Lpn lpn, Tick now) {
    if (lpn.value < logical_pages_) mapping_cache_.update(lpn, now);
  }
  void load_translation_page(std::uint64_t page, bool awaited, Tick now) override;
  void store_translation_page(std::uint64_t page, Tick now) override;
  void translated(MappingCache::Waiter& waiter, Tick now) override;
  void translation_page_read(FlashTransaction& read, Tick now);
  void empty_page_loaded(std::uint64_t page);
  void translation_page_programmed(UnitWrite& unit, Tick now);
  Lpn translation_page(std::uint64_t page) const { return Lpn(logical_pages_ + page); }

  // A read of the host that others may join: the bytes [first, end) of a page of the flash.
  struct GatheredRead {
    FlashTransaction* read;
    Ppn first_unit;
    std::uint32_t first;
    std::uint32_t end;
  };

  // Accesses of the front end.
  void read(PageAccess& access, Tick now);
  void look_up(PageAccess& access, Tick now);
  void start_host_read(PageAccess& access, Ppn source, Tick now);
  // Reads of units that are parts of a page wait for the others of the same instant, so that a page is read once.
  void start_gathered_reads(std::uint64_t);
  bool lender_joined(const GatheredRead& page) const;
  void write(PageAccess& access, Tick now);
  void put(UnitWrite& unit, const std::byte* old_unit, Tick now);
  void put_in_page(UnitWrite& unit, const std::byte* old_unit, Tick now);
  // What the host wrote, over what the unit held before, if that is known.
  void copy_data(const UnitWrite& unit, const std::byte* old_unit, std::byte* bytes) const;
  // controller_trims.cpp
  void trim(PageAccess& access, Tick now);
  // The next part of it, or it waits behind a page that is written once more.
  void go_on_trimming(PageAccess& trim, Tick now);
  void trimmed(std::uint64_t trim);
  void forget(Lpn first, std::uint64_t count, Tick now);
  bool is_whole_mapping(Lpn first, std::uint64_t count) const { return first.value == 0 && count == stored_pages(); }
  // A trim waits for the writes to its range that came before it, and what comes later and would change its range waits
  // for it, so that none replaces what is newer.
  void change(PageAccess& access, Tick now);
  bool waits_for_earlier(const PageAccess& change, std::size_t held_before) const;
  void retry_held_changes(Lpn first, std::uint64_t count, Tick now);
  void flush(PageAccess& access, Tick now);
  void end_flush(PageAccess& access, Tick now);
  void complete(PageAccess& access, Tick now) { client_->completed(access, now); }
  void host_read_done(FlashTransaction& read, Tick now);
  void read_old_unit(UnitWrite& unit, Tick now);
  void old_unit_read(FlashTransaction& read, Tick now);
  bool being_rewritten(Lpn lpn, Ppn place) const;
  void go_on_merging(Lpn rewritten, Tick now);
  UnitWrite* rewrite_of(Lpn lpn, Ppn place) const;
  // The unit is mapped, or cannot be written: the access ends with that status, and what has waited behind it goes on.
  void end_write(UnitWrite& unit, bool completes, Tick now);
  void resume(UnitWrite& ended, PageAccess* completed, Tick now);
  void ask_for_tag(FlashTransaction& read) const;
  PlaneId plane_for(std::uint8_t stream, Lpn lpn, bool gathered = false);
  // What so many good blocks of a plane may hold, and what the plane may.
  std::uint64_t capacity(std::uint64_t good_blocks) const;
  std::uint64_t room(PlaneId plane) const;
  std::uint64_t room_of_all() const;
  std::uint64_t room_of_journal() const;
  // Of the host, and the mapping's own.
  std::uint64_t stored_pages() const { return logical_pages_ + mapping_cache_.translation_pages(); }
  double available_spare_percent() const;
  double percentage_used() const;
  // With a capacitor, what is programmed is durable at once.
  bool survives_power_cut() const {
    return parameters_.power_loss.protection == PowerLossProtection::capacitor && !saving_;
  }
  void page_written(FlashTransaction& page, Tick now);

  // Fullpages::Client
  PlaneId plane_of_fullpage(Lpn first) override;
  void write_fullpages(std::span<const Fullpage> fullpages, PlaneId plane, Tick now) override;
  void write_alone(UnitWrite& unit, Tick now) override { put_in_page(unit, nullptr, now); }

  // FlashScheduler::Client
  Placement place(FlashTransaction& write, Tick now) override;
  void withdrawn(FlashTransaction& write, Tick now) override { writer_.withdrawn(write, now); }
  std::uint32_t next_page(const FlashTransaction& write) const override;
  void session_opened(FlashTransaction& read, Tick now) override { reader_.session_opened(read, now); }
  void subpages_gathered(std::span<FlashTransaction* const> reads, Tick) override { reader_.subpages_gathered(reads); }
  void done(FlashTransaction& transaction, Tick now) override;

  // PageReader::Client
  void page_read(FlashTransaction& read, Tick now) override;
  void page_rebuilt(BlockId block, Tick now) override;
  void unpin(BlockId block, Tick now) override;
  BlockAge age_of(BlockId block, Tick now) const override;

  // PageWriter::Client
  void unit_programmed(UnitWrite& unit, Tick now) override;
  void unit_durable(UnitWrite& unit, Tick now) override;
  void stop_writing(Tick now);
  void places_changed_anywhere(Tick now) override;
  void unit_rewritten(UnitWrite& unit) override;
  void read_back(FlashTransaction& page, Tick now) override;
  void page_durable(Tick now) override;
  void block_failed(BlockId block, Tick now) override;
  PlaneId with_room(PlaneId plane, bool moved) const override;
  void planes_mixed() override { in_order_ = false; }
  void no_place_left(Tick now) override;
  void unit_refused(UnitWrite& unit, Tick now) override;
  void map(UnitWrite& unit, Ppn old);
  void map_back(UnitWrite& unit, Tick now);

  // GarbageCollector::Mover
  std::uint32_t move_page(Ppn first_unit, Reason reason, Tick now) override;
  void erase_block(BlockId block, Tick now) override;
  void block_retired(BlockId block, Tick now) override;
  void set_urgent(PlaneId plane, bool urgent) override;
  void host_may_go_on(PlaneId plane, Tick now) override;
  void make_moves_durable(PlaneId plane, Tick now) override;
  void nothing_gained(PlaneId plane, std::uint64_t victims, Tick now) override;
  // controller_progress.cpp
  // For good, and says why.
  void take_no_more(const std::string& why, Tick now);
  void stop_stalled(std::uint64_t);
  void look_elsewhere(std::uint64_t plane);
  void give_up_accesses(Tick now);
  // With parity, pages of the host and of collection never wait for each other to complete a row: collection, which the
  // host waits for, has a stream of its own, behind those of the host.
  std::uint8_t collection_stream() const { return streams_->write_streams(); }
  // The stream that a unit moved out of the block goes to.
  std::uint8_t stream_of_move(Lpn lpn, BlockId source, bool lasts);
  // Whether these units, all of a page, may go to their place without passing through the controller, and where to.
  std::optional<std::uint8_t> copyback_stream(const UnitWrite* units, Reason reason);
  // The controller starts to move a page: by a read, or by a copyback.
  void start_move(std::uint64_t transaction);
  void start_erase(std::uint64_t transaction);
  void units_to_move_read(FlashTransaction& read, Tick now);
  // The move of the unit that was there is over. Pages of units that were moved out of that plane are written as they
  // are once nothing comes any more that could fill them up.
  void move_ended(Ppn source, MoveEnd end, Tick now);
  void close_moved_pages(PlaneId source);
  void send_erase(BlockId block, Tick now);
  void block_erased(FlashTransaction& erase, Tick now);
  void places_changed(PlaneId plane, Tick now);
  // With parity: a die in which nothing can be programmed any more takes its stripe sets out of use for writes.
  void watch_die(const FlashTransaction& program, Tick now);
  void check_room(Tick now);

  // JournalWriter::Client
  BlockId take_journal_block(bool replaces, Tick now) override;
  void release_journal_block(BlockId block, Tick now) override;
  void journal_block_failed(BlockId block) override { blocks_.set_failing(block); }
  void collect_trims(std::vector<TrimRecord>& records) override;
  void journal_waits(Tick now) override;
  void trims_durable(Tick now) override;

  // RecoveryScan::Client, and what is around it.
  RecoveryScan::KnownBlock known_of(BlockId flash_block) const override;
  void block_changed(BlockId flash_block) override;
  void stamp_found(BlockId flash_block, std::uint32_t stamp) override;
  void found_copy(Lpn lpn, Ppn place) override;
  void found_moved(Lpn lpn) override;
  void found(Lpn lpn, Ppn place, bool lost) override;
  void block_scanned(BlockId flash_block, std::uint32_t programmed_pages) override;
  void journal_page_found(Ppn flash_page) override;
  void fullpages_found(BlockId block) override;
  void wait_for_recovery(PageAccess& access);
  void read_tag(Ppn flash_page, std::span<std::uint64_t> tag, Tick now);
  void read_next_tags(DieId die, Tick now);
  void tag_read(FlashTransaction& read, Tick now);
  void read_journal(Tick now);
  void finish_recovery(Tick now);
  void end_recovery(Tick now);
  std::vector<TrimRecord> adopt_journal(Recovery& recovery);
  void trim_again(const TrimRecord& trim);
  void undo_moves(Recovery& recovery);
  void resume_known_blocks();
  void resume_blocks(const std::vector<std::uint32_t>& programmed);

  // The checkpoint of the mapping: what the controller knows of it without reading tags.
  static bool keeps_checkpoints(const ControllerParameters& parameters);
  std::uint64_t checkpoint_pages() const;
  // To read or to write it, where an array takes so long for a page.
  Tick checkpoint_time(Tick array) const;
  void checkpoint_written(std::uint64_t complete);
  void load_checkpoint(bool complete);
  void checkpoint_read(std::uint64_t complete);
  void persist_mapping(Archive& archive);
  void persist_lost(Archive& archive);

  // Upkeep, when its time has come.
  void upkeep(Tick now);
  void refresh_old_blocks(Tick now);
  void scrub_page(Tick now);
  void scrub_page_read(FlashTransaction& read, Tick now);
  // Whether something goes by the ages of blocks.
  bool ages_matter() const {
    return parameters_.refresh.policy.name != "none" || parameters_.read_retry.adapts_timing();
  }
  void count_read(BlockId block, std::uint32_t reads, Tick now);
  // Since the start, as many as they count at 30 C.
  double hours(Tick now) const { return shelf_hours_ + s_from_ticks(now) / 3600 * path_.running_hours; }

  // controller_state.cpp
  void try_checkpoint(const Archive& archive);
  void persist_upkeep(Archive& archive);
  void check_mapping(Archive& archive) const;

  // An access whose entry of the mapping is being loaded.
  struct Translation : MappingCache::Waiter {
    PageAccess* access = nullptr;
    void reset() { *this = Translation{}; }
  };

  struct Trim {
    PageAccess* access;
    std::uint64_t done;  // pages, from its first one on
  };

  struct Flush {
    PageAccess* access;
    std::uint64_t programmed;  // it waits for the pages up to that one
    bool trims;                // and for the journal of trims
  };

  const ControllerParameters parameters_;
  bool saving_ = false;  // what follows asks for it when it is made
  const FlashLayout layout_;
  const std::uint64_t logical_pages_;
  const DataPath path_;
  AllocationOrder order_;
  const std::unique_ptr<StreamPolicy> streams_;
  // Behind those of the policy, and of collection: what is kept from decay, and so lives longest; then translation
  // pages.
  const std::uint8_t lasting_stream_;
  const std::uint8_t map_stream_;
  const std::uint8_t fullpage_stream_;  // where they are spread over layers
  const std::optional<FullpagePattern> pattern_;
  MappingCache mapping_cache_;
  InitialFill initial_;
  InitialFill nothing_;
  MappingTable mapping_;
  BlockTable blocks_;
  GarbageCollector collector_;
  Calendar& calendar_;
  FlashScheduler scheduler_;
  FlashIo io_;
  PageReader reader_;
  PageWriter writer_;
  std::optional<Fullpages> fullpages_;
  StaticWearLevelling levelling_;
  ReadDisturb read_disturb_;
  const std::unique_ptr<RefreshPolicy> refresh_;
  Scrub scrub_;
  Tick upkeep_due_ = never;
  Tick refresh_due_ = never;
  double shelf_hours_ = 0;
  SuperblockErases erases_;
  std::vector<std::uint8_t> failures_in_a_row_;  // of programs, by die; only with parity
  std::vector<bool> closed_;                     // by plane: nothing more is written to it; likewise
  std::vector<float> written_hours_;             // by block, when its first page was programmed; where that matters
  StorageClient* client_ = nullptr;
  FirmwareStage* firmware_ = nullptr;
  WritesInFlight writes_;
  std::vector<UnitWrite*> waiting_merges_;              // for what they are merged with to be written once more
  std::vector<const PageAccess*> untranslated_writes_;  // whose entry of the mapping is being loaded
  std::vector<PageAccess*> held_changes_;  // trims that wait, and changes that wait for those, in the order they came
  Pool<UnitWrite> units_;
  Pool<Translation> translations_;
  PageAccess* gathered_ = nullptr;  // reads of this instant, in the order of their submission
  PageAccess* gathered_last_ = nullptr;
  std::vector<GatheredRead> joined_;
  std::uint64_t version_ = 0;  // of the latest write
  std::deque<Flush> flushes_;
  std::vector<Trim> trims_;
  Tick trims_busy_ = 0;        // until then with trims that came before
  bool forced_write_ = false;  // one waits to become durable
  std::uint32_t rewritten_units_ = 0;
  JournalWriter journal_;
  TrimmedRanges trimmed_;
  std::vector<PlaneId> last_plane_;      // by stream: where its latest write went that was not bound to a plane
  std::vector<BlockId> erases_waiting_;  // for the journal
  std::unique_ptr<Recovery> recovery_;   // while it is under way
  MappingCheckpoint checkpoint_;
  bool in_order_;           // all data lie on the planes of their addresses, where they fit
  bool retired_ = false;    // there are retired blocks
  std::uint64_t room_ = 0;  // what all planes may hold since then
  bool read_only_ = false;
  bool no_place_left_ = false;  // not even for what has to move
  std::string stall_report_;
  bool mapping_lost_ = false;  // a die was dead at power-up: nobody knows which data are the newest
  // Pages whose data could not be read when they had to move. Until they are written or trimmed, reads of them fail.
  std::unordered_set<std::uint64_t> lost_;
  ControllerCounters counters_;
};

}  // namespace nandscape
