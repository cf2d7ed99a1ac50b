// SPDX-License-Identifier: Apache-2.0
// Renews blocks by invalid-data-aware coding [Choi 2018], Section III-C. Some pages of each wordline stay
// (wordline_choice.h); the others are moved, as by any refresh. Then, one wordline after the other:
//
//   adjust      the states that differ only in invalid pages are merged (nand/coding/merging.h)
//   read back   each page that stayed
//   write back  pages with too many errors, from copies made before the adjustment
//
// A block that was renewed is emptied at its next refresh.
//
// Reads of pages that are still to be adjusted are answered from their copies (reading/page_copies.h). Adjustments
// start only when no command to the block is under way, so that no page is read while its wordline is adjusted.
#pragma once

#include <cstdint>

#include "controller/flash_ops/op_pool.h"
#include "controller/ida/wordline_choice.h"
#include "controller/migration/block_renewal.h"
#include "controller/migration/refresh_policy.h"
#include "core/random.h"

namespace nandscape::controller {

class IdaRenewal final : public BlockRenewal {
 public:
  IdaRenewal(const IdaParameters& parameters, const WordlineChoice& choice, const RenewalContext& context);

  // BlockRenewal
  bool renews(Superblock block, Reason reason, Tick now) override;
  std::uint32_t copy(Ppa first_unit, Tick now) override;
  std::uint32_t go_on(Superblock block, Tick now) override;
  void ended(Superblock block, Tick now) override;
  void give_up(Superblock block) override;
  PageCopies& copies() override { return copies_; }
  RenewalCounters counters() const override;
  void persist(Archive& archive) override { random_.persist(archive); }
  void persist_counters(Archive& archive) override;

 private:
  // The block of a plane that is being renewed.
  struct Renewed {
    Superblock block;
    std::uint32_t next_wordline = 0;
    bool failed = false;  // an adjustment of the block failed
    WordlineOutlook outlook = {};
  };

  struct Adjustment final : FlashOp {
    explicit Adjustment(IdaRenewal& renewal) : owner(renewal) { queue = QueueKind::background_write; }
    void array_done(Tick now) override { owner.adjusted(*this, now); }
    Placement place(Tick) override { return owner.gave_up(of) ? Placement::withdraw : Placement::placed; }
    void withdrawn(Tick now) override { owner.withdrawn(*this, now); }

    IdaRenewal& owner;
    Superblock of;
    std::uint32_t wordline = 0;
    std::uint32_t pages_left = 0;  // pages not yet read back
  };

  struct CopyRead final : PageRead {
    explicit CopyRead(IdaRenewal& renewal) : PageRead(renewal.reader_), owner(renewal) {
      queue = QueueKind::background_read;
    }
    void page_read(Tick now) override { owner.page_copied(*this, now); }

    IdaRenewal& owner;
  };

  struct CheckRead final : PageRead {
    explicit CheckRead(IdaRenewal& renewal) : PageRead(renewal.reader_), owner(renewal) {
      queue = QueueKind::background_read;
      worth_remaking = false;
      from_flash = true;
    }
    void page_read(Tick now) override { owner.page_read_back(*this, now); }

    IdaRenewal& owner;
    Adjustment* of = nullptr;
  };

  bool gave_up(Superblock block) { return renewed_of(block).block != block; }
  Renewed& renewed_of(Superblock block) { return renewed_[blocks_.geometry().plane_of(block)]; }
  // The number of wordlines in a superblock. They are numbered so that the wordlines at the same place in all members
  // are consecutive.
  std::uint32_t wordlines(Superblock block) const { return blocks_.shape(block).whole_wordlines() * layout_.members(); }
  std::uint32_t pages_per_wordline(Superblock block) const { return blocks_.shape(block).pages_per_wordline; }
  // First unit of a page.
  Ppa unit(Superblock block, std::uint32_t wordline, std::uint32_t type) const {
    const std::uint32_t row = wordline / layout_.members() * pages_per_wordline(block) + type;
    return layout_.first_unit(block, row, wordline % layout_.members());
  }
  // The logical page of the first valid unit in the page, or an invalid Lpn.
  Lpn first_held(Ppa first_unit) const;
  PageSet valid_pages(Superblock block, std::uint32_t wordline) const;
  // The pages of the wordline that must be read to decode other valid pages.
  PageSet needed_pages(Superblock block, std::uint32_t wordline) const;
  // The pages of the wordline that stay. Merging destroys the other pages, so no page stays if one of those is needed.
  PageSet staying(Superblock block, std::uint32_t wordline, const WordlineOutlook& outlook) const;
  WordlineOutlook outlook(Superblock block, Tick now) const;
  void start(PageRead& read, Ppa first_unit, Tick now);
  void page_copied(CopyRead& read, Tick now);
  void adjust(Superblock block, std::uint32_t wordline, PageSet pages, Tick now);
  void adjusted(Adjustment& adjustment, Tick now);
  void withdrawn(Adjustment& adjustment, Tick now);
  void page_read_back(CheckRead& read, Tick now);
  void write_back(Ppa first_unit, Tick now);
  void end(Adjustment& adjustment, Tick now);
  void drop_copies(Superblock block, std::uint32_t wordline);
  void step_ended(Superblock block, Tick now);

  FlashIo& io_;
  const FlashLayout& layout_;
  BlockTable& blocks_;
  BlockAges& ages_;
  PageReader& reader_;
  Migrator& migrator_;
  GarbageCollector& collector_;
  const WordlineChoice choice_;
  const double period_hours_;
  const double error_rate_;
  const double write_back_error_fraction_;
  RandomStream random_;
  PageCopies copies_;
  IdVector<FtlPlane, Renewed> renewed_;
  OpPool<Adjustment, IdaRenewal> adjustments_;
  OpPool<CopyRead, IdaRenewal> copy_reads_;
  OpPool<CheckRead, IdaRenewal> check_reads_;
  RenewalCounters counters_;
};

}  // namespace nandscape::controller
