// SPDX-License-Identifier: Apache-2.0
// Maintains the data: empties blocks whose data are old, were read too often or last for a limited time; looks for
// errors; and levels wear. Work that depends on time is done when an access finds that it is due; an idle device has no
// events.
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

// Patrol read: reads all pages of the device in turn, evenly over time, to find failing pages before the host reads
// them. Consecutive steps go to different planes, which spreads the load over the dies.
class Scrub {
 public:
  Scrub(const ScrubParameters& parameters, const FtlGeometry& geometry);

  bool enabled() const { return period_ != 0; }
  // Time of the next step.
  Tick due() const { return enabled() ? rounds_ * period_ + offset(step_) : never; }
  // Rounds that were missed while no access arrived are not made up for.
  void skip_missed_rounds(Tick now) {
    if (enabled() && now / period_ > rounds_ + 1) rounds_ = now / period_ - 1;
  }
  // Takes the next step and returns its page. A page without data need not be read.
  Ppa next();
  // Whether the block of a page that was read is to be emptied. Compares the errors of the page's worst codeword with
  // the errors that a codeword can correct. A page without errors is never a reason.
  bool relocate(std::uint32_t worst_codeword_errors, std::uint32_t correctable_bits, bool uncorrectable) const {
    return uncorrectable || worst_codeword_errors >= std::max(1.0, error_fraction_ * correctable_bits);
  }

  void persist(Archive& archive) {
    archive.number(rounds_, enabled() ? never / 2 / period_ : 0, "the rounds of the patrol");
    archive.index(step_, geometry_.units(), "the step of the patrol");
  }

 private:
  // Time from the start of a round to the step.
  Tick offset(std::uint64_t step) const {
    return static_cast<Tick>(static_cast<unsigned __int128>(period_) * step / geometry_.units());
  }

  const FtlGeometry geometry_;
  const Tick period_;
  const double error_fraction_;
  std::uint64_t rounds_ = 0;
  std::uint64_t step_ = 0;  // steps made in this round
};

// Finds blocks that lag behind in wear. Blocks whose data are never overwritten are never collected, and the other
// blocks wear instead. Emptying such a block brings it back into use.
class StaticWearLevelling {
 public:
  StaticWearLevelling(const WearLevellingParameters& p, const FtlGeometry& geometry)
      : threshold_(p.static_threshold), check_erases_(p.check_erases), erases_(enabled() ? geometry.planes() : 0) {}

  bool enabled() const { return threshold_ != 0; }

  // A block of the plane was erased. Returns the block to empty now, or an invalid id. The block is the least worn full
  // one without pending commands; among equals, the one written longest ago. Its erase count must be below that of the
  // plane's most worn block by more than the threshold.
  Superblock erased(const BlockTable& blocks, FtlPlane plane);

  // If the saved state has no counts, counting begins at zero.
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
  IdVector<FtlPlane, std::uint32_t> erases_;  // by plane, since its last search
};

class MediaCare final : public Component, public ReadListener, public EraseListener, private BlockGuarantees::Host {
 public:
  struct Context {
    const DriveClock& clock;
    FlashIo& io;
    const BlockTable& blocks;
    BlockAges& ages;
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
  // Adds unsimulated time with the device switched on, in equivalent hours at 30 C.
  void advance(double hours, Tick now);
  // The unsimulated time, in equivalent hours at 30 C, after which data that last only for a limited time need work;
  // infinite if there are none.
  double hours_left(Tick now) const;
  // Time has passed without power, so the next look() checks for overdue work.
  void clock_changed(Tick now) {
    if (keeps_guarantees()) due_ = guarantees_due_ = now;
  }
  // The mapping is restored.
  void resume(Tick now);
  // EraseListener
  void block_erased(Superblock block, bool erased, Tick now) override;

  // ReadListener
  void block_read(Superblock block, std::uint32_t reads, Tick now) override;
  // Empties the block, since other pages of it may be as bad.
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
  const Tick refresh_interval_;  // 0: never
  const std::unique_ptr<RefreshPolicy> refresh_;
  const std::unique_ptr<BlockGuarantees> guarantees_;  // null: data last anyway
  Scrub scrub_;
  StaticWearLevelling levelling_;
  Tick refresh_due_ = never;
  Tick guarantees_due_ = never;
  Tick due_ = never;
  OpPool<ScrubRead, MediaCare> scrub_reads_;
  std::uint64_t scrubbed_pages_ = 0;
};

}  // namespace nandscape::controller
