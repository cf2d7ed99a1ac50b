// SPDX-License-Identifier: Apache-2.0
// Maintains the data: empties blocks whose data are old, were read too often or last for a limited time; looks for
// errors; and levels wear. Work that depends on time is done when an access finds that it is due; an idle device has no
// events.
#pragma once

#include <cstdint>
#include <memory>

#include "controller/mapping/block_ages.h"
#include "controller/mapping/drive_clock.h"
#include "controller/migration/block_guarantees.h"
#include "controller/migration/block_renewal.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/migration/refresh/parameters.h"
#include "controller/migration/refresh/refresh_policy.h"
#include "controller/migration/refresh/scrub.h"
#include "controller/migration/static_wear_levelling.h"
#include "controller/reading/page_reader.h"
#include "controller/writing/page_writer.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "core/component.h"

namespace nandscape::controller {

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

  MediaCare(const RefreshParameters& refresh, const ScrubParameters& scrub, const WearLevellingParameters& wear,
            WriteModePolicy& write_mode, const Context& context);

  std::unique_ptr<BlockRenewal> make_renewal(const RenewalContext& context) const {
    return refresh_->make_renewal(context);
  }

  bool due(Tick now) const { return now >= due_; }
  void look(Tick now);
  // Time that is not simulated has passed with the device switched on, in hours as if at 30 C.
  void advance(double hours, Tick now);
  // Such hours that may pass before work is due that cannot wait for the next look at old blocks.
  double hours_left(Tick now) const;
  // Time has passed without power: the next look finds overdue work.
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
