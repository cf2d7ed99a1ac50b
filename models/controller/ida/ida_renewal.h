// SPDX-License-Identifier: Apache-2.0
// Refreshes blocks by invalid-data-aware coding [Choi 2018, section III-C]. In each wordline some pages stay (see
// wordline_choice.h), and the other pages are moved to another block as in an ordinary refresh. Then each wordline with
// pages that stay is handled in three steps:
//
//   adjust      The die merges states that differ only in the bits of invalid pages (see nand/coding/merging.h).
//   read back   Each page that stayed is read to count its errors.
//   write back  Pages with too many errors are written elsewhere, from copies made before the adjustment.
//
// A block that has been renewed is emptied at its next refresh.
//
// Until a wordline has been adjusted, reads of its pages that stay are answered from their copies (see
// reading/page_copies.h). Adjustments start only when no command to the block is under way, so that no page is read
// while its wordline is being adjusted.
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

  // Implements BlockRenewal.
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
  // The block of a plane that is being renewed, with the progress of its renewal.
  struct Renewed {
    Superblock block;
    std::uint32_t next_wordline = 0;
    bool failed = false;  // whether an adjustment in the block has failed
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
    std::uint32_t pages_left = 0;  // number of pages that have not been read back yet
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
  // Returns the number of wordlines in the superblock. Wordlines are numbered so that the wordlines at the same
  // position in all member blocks are consecutive.
  std::uint32_t wordlines(Superblock block) const { return blocks_.shape(block).whole_wordlines() * layout_.members(); }
  std::uint32_t pages_per_wordline(Superblock block) const { return blocks_.shape(block).pages_per_wordline; }
  // Returns the first unit of the page.
  Ppa unit(Superblock block, std::uint32_t wordline, std::uint32_t type) const {
    const std::uint32_t row = wordline / layout_.members() * pages_per_wordline(block) + type;
    return layout_.first_unit(block, row, wordline % layout_.members());
  }
  // Returns the logical page of the first valid unit in the page, or an invalid Lpn if no unit is valid.
  Lpn first_held(Ppa first_unit) const;
  PageSet valid_pages(Superblock block, std::uint32_t wordline) const;
  // Returns the pages of the wordline that are needed to decode valid pages elsewhere, because they lend parity to
  // them.
  PageSet needed_pages(Superblock block, std::uint32_t wordline) const;
  // Returns the pages of the wordline that stay. Since merging states destroys all other pages of the wordline, the
  // result is empty if any of the destroyed pages is needed by a page elsewhere.
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
