// SPDX-License-Identifier: Apache-2.0
// Maintains the stored data. It empties blocks whose data are old, have been read too often, or have a limited
// retention time; it reads all pages regularly to look for errors; and it levels wear. Work that becomes due at a
// certain time is done at the next access, so an idle device has no events.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "controller/addresses/ftl_geometry.h"
#include "controller/addresses/ids.h"
#include "controller/mapping/block_ages.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/parameters.h"
#include "controller/mapping/power_state.h"
#include "controller/migration/block_guarantees.h"
#include "controller/migration/block_renewal.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/migration/refresh_policy.h"
#include "controller/reading/page_reader.h"
#include "controller/writing/page_writer.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "core/component.h"
#include "core/ticks.h"

namespace nandscape::controller {

// Patrol read: reads all pages of the device in turn, spread evenly over time, to find failing pages before the host
// reads them. Consecutive steps go to different planes in order to spread the load over the dies.
class Scrub {
 public:
  Scrub(const ScrubParameters& parameters, const FtlGeometry& geometry);

  bool enabled() const { return period_ != 0; }
  // Returns the time of the next step, or `never` if there is no patrol.
  Tick due() const { return enabled() ? rounds_ * period_ + offset(step_) : never; }
  // Skips rounds that were missed because no access arrived in time. They are not repeated.
  void skip_missed_rounds(Tick now) {
    if (enabled() && now / period_ > rounds_ + 1) rounds_ = now / period_ - 1;
  }
  // Advances to the next step and returns its mapping unit. A unit without data need not be read.
  Ppa next();
  // Returns whether the block of a page must be emptied because of the result of the patrol read. This is so if the
  // page is uncorrectable, or if its worst codeword has at least a given share of the correctable bit errors. A page
  // without errors is never a reason.
  bool relocate(std::uint32_t worst_codeword_errors, std::uint32_t correctable_bits, bool uncorrectable) const {
    return uncorrectable || worst_codeword_errors >= std::max(1.0, error_fraction_ * correctable_bits);
  }

  void persist(Archive& archive) {
    archive.number(rounds_, enabled() ? never / 2 / period_ : 0, "the rounds of the patrol");
    archive.index(step_, geometry_.units(), "the step of the patrol");
  }

 private:
  // Returns the time from the start of a round to the given step.
  Tick offset(std::uint64_t step) const {
    return static_cast<Tick>(static_cast<unsigned __int128>(period_) * step / geometry_.units());
  }

  const FtlGeometry geometry_;
  const Tick period_;
  const double error_fraction_;
  std::uint64_t rounds_ = 0;
  std::uint64_t step_ = 0;  // steps made so far in this round
};

// Finds blocks with too little wear. Blocks whose data are never overwritten are never collected, so all the wear goes
// to the other blocks. Emptying such a block brings it back into use.
class StaticWearLevelling {
 public:
  StaticWearLevelling(const WearLevellingParameters& p, const FtlGeometry& geometry)
      : threshold_(p.static_threshold), check_erases_(p.check_erases), erases_(enabled() ? geometry.planes() : 0) {}

  bool enabled() const { return threshold_ != 0; }

  // Called when a block of the plane has been erased. Returns the block to empty now, or an invalid id if there is
  // none. The candidate is the least worn full block without pending commands; among equals, the one that was written
  // longest ago. It is returned if its erase count is below the highest erase count of the plane by more than the
  // threshold. The search takes place once every `check_erases` erases of the plane.
  Superblock erased(const BlockTable& blocks, FtlPlane plane);

  // Saves or restores the counts. If the saved state has no counts, counting begins at zero.
  void persist(Archive& archive) {
    archive.variant(enabled() ? "static" : "", [this](Archive& state) {
      state.table(erases_.values(), erases_.size(), "planes", [&](std::uint32_t& erases) {
        state.index(erases, check_erases_, "the erases of a plane since the last search");
      });
    });
  }

 private:
  std::uint32_t threshold_;
  std::uint32_t check_erases_;
  IdVector<FtlPlane, std::uint32_t> erases_;  // by plane: erases since the last search of the plane
};

class MediaCare final : public Component, public ReadListener, public EraseListener, private BlockGuarantees::Host {
 public:
  struct Context {
    const DriveClock& clock;
    FlashIo& io;
    const BlockTable& blocks;
    BlockAges& ages;
    BlockLives& lives;
    BlockReads& reads;
    PageReader& reader;
    PageWriter& writer;
    GarbageCollector& collector;
    Calendar& calendar;
  };

  MediaCare(const RefreshParameters& refresh, const RefreshContext& refreshed, const ScrubParameters& scrub,
            const WearLevellingParameters& wear, WriteModePolicy& write_mode, const Context& context);

  std::unique_ptr<BlockRenewal> make_renewal(const RenewalContext& context) const {
    return refresh_->make_renewal(context);
  }

  bool due(Tick now) const { return now >= due_; }
  void look(Tick now);
  // Adds time that is not simulated, with the device switched on, in equivalent hours at 30 C, and does the work that
  // becomes due.
  void advance(double hours, Tick now);
  // Returns the time that may pass without being simulated before data with a limited retention time must be rewritten,
  // in equivalent hours at 30 C. Returns infinity if there are no such data.
  double hours_left(Tick now) const;
  // Called when time has passed without power. The next look() then checks for overdue work.
  void clock_changed(Tick now) {
    if (keeps_guarantees()) due_ = guarantees_due_ = now;
  }
  // Called when the mapping has been restored after power-on.
  void resume(Tick now);
  // EraseListener
  void block_erased(Superblock block, bool erased, Tick now) override;

  // Returns whether block_read() must be called.
  bool counts_reads() const { return drive_.reads.counted(); }
  // ReadListener
  void block_read(Superblock block, std::uint32_t reads, Tick now) override;
  // Called when a page of the block had to be rebuilt. Empties the block, because its other pages may be just as
  // unreliable.
  void page_remade(Superblock block, Tick now) override { drive_.collector.empty(block, Reason::errors, now); }

  std::uint64_t scrubbed_pages() const { return scrubbed_pages_; }
  GuaranteeCounters guarantee_counters(Tick now) const;
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override;

 private:
  struct ScrubRead final : PageRead {
    explicit ScrubRead(MediaCare& care) : PageRead(care.drive_.reader), owner(care) {
      queue = QueueKind::background_read;
      worth_remaking = false;
    }
    void page_read(Tick now) override { owner.page_scrubbed(*this, now); }

    MediaCare& owner;
  };

  // BlockGuarantees::Host
  void empty(Superblock block, Tick now) override { drive_.collector.empty(block, Reason::guarantee, now); }
  void close(Superblock block) override { drive_.writer.close_block(block); }
  void make_durable(Superblock block) override {
    drive_.writer.ledger().complete_wordlines_for(drive_.blocks.geometry().plane_of(block));
  }

  bool keeps_guarantees() const { return guarantees_ != nullptr && !drive_.collector.stopped(); }
  void set_due(Tick now);
  void refresh_old_blocks(Tick now);
  void scrub_page(Tick now);
  void page_scrubbed(ScrubRead& read, Tick now);

  const Context drive_;
  const Tick refresh_interval_;  // 0: blocks are never refreshed
  const std::unique_ptr<RefreshPolicy> refresh_;
  const std::unique_ptr<BlockGuarantees> guarantees_;  // null if all data have unlimited retention
  Scrub scrub_;
  StaticWearLevelling levelling_;
  Tick refresh_due_ = never;
  Tick guarantees_due_ = never;
  Tick due_ = never;
  OpPool<ScrubRead, MediaCare> scrub_reads_;
  std::uint64_t scrubbed_pages_ = 0;
};

}  // namespace nandscape::controller
