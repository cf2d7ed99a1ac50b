// SPDX-License-Identifier: Apache-2.0
#include "controller/ida/ida_renewal.h"

#include <algorithm>
#include <bit>

#include "controller/migration/migrator.h"
#include "controller/reading/page_reader.h"

namespace nandscape::controller {

IdaRenewal::IdaRenewal(const IdaParameters& p, const WordlineChoice& choice, const RenewalContext& context)
    : io_(context.io),
      layout_(context.io.layout()),
      blocks_(context.blocks),
      ages_(context.ages),
      reader_(context.reader),
      migrator_(context.migrator),
      collector_(context.collector),
      choice_(choice),
      period_hours_(p.period_days * 24),
      error_rate_(p.error_rate),
      write_back_error_fraction_(p.write_back_error_fraction),
      random_(context.seed, "controller.refresh.ida"),
      copies_(context.io, context.calendar),
      renewed_(layout_.mapping().planes()),
      adjustments_(context.io, *this),
      copy_reads_(context.io, *this),
      check_reads_(context.io, *this) {}

RenewalCounters IdaRenewal::counters() const {
  RenewalCounters counters = counters_;
  counters.reads_of_copies = copies_.reads();
  return counters;
}

void IdaRenewal::persist_counters(Archive& archive) {
  archive(counters_);
  copies_.persist_counters(archive);
}

Lpn IdaRenewal::first_held(Ppa first_unit) const {
  for (std::uint32_t k = 0; k < layout_.units_per_page(); ++k) {
    if (const Lpn held = blocks_.held_by(Ppa(first_unit.value + k)); held.valid()) return held;
  }
  return Lpn();
}

PageSet IdaRenewal::valid_pages(Superblock block, std::uint32_t wordline) const {
  PageSet pages = 0;
  for (std::uint32_t type = 0; type < pages_per_wordline(block); ++type) {
    if (first_held(unit(block, wordline, type)).valid()) pages |= PageSet{1} << type;
  }
  return pages;
}

PageSet IdaRenewal::needed_pages(Superblock block, std::uint32_t wordline) const {
  PageSet pages = 0;
  for (std::uint32_t type = 0; type < pages_per_wordline(block); ++type) {
    const std::optional<Ppa> borrower = reader_.borrower_of(unit(block, wordline, type));
    if (borrower && first_held(*borrower).valid()) pages |= PageSet{1} << type;
  }
  return pages;
}

PageSet IdaRenewal::staying(Superblock block, std::uint32_t wordline, const WordlineOutlook& outlook) const {
  const PageSet stays = choice_.staying(valid_pages(block, wordline), outlook);
  return stays == 0 || (needed_pages(block, wordline) & ~stays) != 0 ? 0 : stays;
}

// --- copies

// Predicts the reads and the share of corrupted pages until the next refresh, from the rates measured so far.
WordlineOutlook IdaRenewal::outlook(Superblock block, Tick now) const {
  const BlockAge age = ages_.of(block, now);
  const double pages = static_cast<double>(blocks_.valid_pages(block)) / layout_.units_per_page();
  WordlineOutlook outlook;
  if (age.age_hours > 0 && pages > 0) {
    outlook.reads = static_cast<double>(age.reads_since_program) / pages * period_hours_ / age.age_hours;
  }
  const auto adjusted = static_cast<double>(counters_.read_back_pages);
  outlook.corrupted = adjusted == 0 ? error_rate_ : static_cast<double>(counters_.written_back_pages) / adjusted;
  return outlook;
}

bool IdaRenewal::renews(Superblock block, Reason reason, Tick now) {
  if (reason != Reason::refresh || blocks_.renewed(block) || blocks_.failing(block)) return false;
  const WordlineOutlook outlook = this->outlook(block, now);
  for (std::uint32_t wordline = 0; wordline < wordlines(block); ++wordline) {
    if (staying(block, wordline, outlook) == 0) continue;
    renewed_of(block) = {.block = block, .outlook = outlook};
    return true;
  }
  return false;
}

std::uint32_t IdaRenewal::copy(Ppa first_unit, Tick now) {
  if (!first_held(first_unit).valid()) return 0;
  const Superblock block = layout_.block_of(first_unit);
  const std::uint32_t page = blocks_.geometry().unit_in_block(first_unit) / layout_.units_per_page();
  const std::uint32_t row = page / layout_.members();
  const BlockShape& shape = blocks_.shape(block);
  const std::uint32_t wordline = row / shape.pages_per_wordline * layout_.members() + page % layout_.members();
  ++counters_.valid_pages;
  const PageSet of_page = PageSet{1} << shape.type_of(row);
  const bool stays =
      wordline < wordlines(block) && (staying(block, wordline, renewed_of(block).outlook) & of_page) != 0;
  if (!stays) {
    ++counters_.moved_pages;
    return 0;
  }
  start(copy_reads_.acquire(), first_unit, now);
  return 1;
}

void IdaRenewal::start(PageRead& read, Ppa first_unit, Tick now) {
  read.lpn = first_held(first_unit);
  read.command.tag = std::span(read.tag).first(2 * layout_.units_per_page());
  reader_.start(read, first_unit, 0, layout_.flash().page_bytes, now);
}

void IdaRenewal::page_copied(CopyRead& read, Tick now) {
  const Ppa first_unit = read.ppa;
  const Superblock block = read.block;
  if (!gave_up(block)) {
    if (read.ecc.uncorrectable) {
      ++counters_.moved_pages;
      collector_.steps_begun(block, migrator_.move_page(first_unit, Reason::refresh, now));
    } else {
      copies_.keep(read);
    }
  }
  copy_reads_.release(read);
  step_ended(block, now);
}

void IdaRenewal::drop_copies(Superblock block, std::uint32_t wordline) {
  for (std::uint32_t type = 0; type < pages_per_wordline(block); ++type) {
    copies_.drop(unit(block, wordline, type));
  }
}

// --- adjustments

std::uint32_t IdaRenewal::go_on(Superblock block, Tick now) {
  Renewed& renewed = renewed_of(block);
  while (renewed.next_wordline < wordlines(block)) {
    const std::uint32_t wordline = renewed.next_wordline++;
    const PageSet valid = valid_pages(block, wordline);
    bool copied = valid != 0 && !renewed.failed && (needed_pages(block, wordline) & ~valid) == 0;
    for (std::uint32_t type = 0; type < pages_per_wordline(block); ++type) {
      if ((valid & PageSet{1} << type) == 0) continue;
      copied = copied && copies_.hold(unit(block, wordline, type));
    }
    // The copies are incomplete if a page that should have been moved has not been given a new location, or if a page
    // that should stay has been overwritten meanwhile. The wordline is then left as it is.
    if (!copied) {
      drop_copies(block, wordline);
      continue;
    }
    adjust(block, wordline, valid, now);
    return 1;
  }
  return 0;
}

void IdaRenewal::adjust(Superblock block, std::uint32_t wordline, PageSet pages, Tick now) {
  Adjustment& adjustment = adjustments_.acquire();
  adjustment.of = block;
  adjustment.wordline = wordline;
  adjustment.pages_left = static_cast<std::uint32_t>(std::popcount(pages));
  adjustment.block = block;
  FlashIo::set_address(adjustment, layout_.find(unit(block, wordline, 0)));
  adjustment.command.operation = NandOperation::adjust_voltage;
  adjustment.command.valid_pages = static_cast<std::uint8_t>(pages);
  for (std::uint32_t type = 0; type < pages_per_wordline(block); ++type) {
    if ((pages & PageSet{1} << type) != 0) copies_.put_at_risk(unit(block, wordline, type));
  }
  // The adjustment must not wait for programs in the queue. They may wait for a free block, and the plane cannot free a
  // block before the renewal has ended.
  io_.enqueue(adjustment, now, QueuePosition::first);
}

void IdaRenewal::adjusted(Adjustment& adjustment, Tick now) {
  const Superblock block = adjustment.of;
  const bool failed = adjustment.command.status != NandStatus::pass;
  ++(failed ? counters_.failed_wordlines : counters_.adjusted_wordlines);
  blocks_.set_renewed(block);
  if (failed && !gave_up(block)) renewed_of(block).failed = true;
  const auto pages = static_cast<PageSet>(adjustment.command.valid_pages);
  for (std::uint32_t type = 0; type < pages_per_wordline(block); ++type) {
    if ((pages & PageSet{1} << type) == 0) continue;
    const Ppa page = unit(block, adjustment.wordline, type);
    if (failed) {
      write_back(page, now);
      --adjustment.pages_left;
      continue;
    }
    ++counters_.read_back_pages;
    CheckRead& read = check_reads_.acquire();
    read.of = &adjustment;
    start(read, page, now);
  }
  if (adjustment.pages_left == 0) end(adjustment, now);
}

// Called if the renewal has been abandoned before the adjustment was sent, for example because the supply has failed.
void IdaRenewal::withdrawn(Adjustment& adjustment, Tick now) {
  const auto pages = static_cast<PageSet>(adjustment.command.valid_pages);
  for (std::uint32_t type = 0; type < pages_per_wordline(adjustment.of); ++type) {
    if ((pages & PageSet{1} << type) != 0) copies_.safe(unit(adjustment.of, adjustment.wordline, type), now);
  }
  end(adjustment, now);
}

void IdaRenewal::page_read_back(CheckRead& read, Tick now) {
  Adjustment& adjustment = *read.of;
  // The limit is at least one error. Otherwise a page without errors could count as corrupted.
  const double most_errors = std::max(1.0, write_back_error_fraction_ * io_.correctable_bits(read));
  const bool corrupted = read.ecc.uncorrectable || read.ecc.worst_codeword_errors >= most_errors ||
                         (error_rate_ > 0 && random_.uniform() < error_rate_);
  const Ppa page = read.ppa;
  check_reads_.release(read);
  if (corrupted) {
    write_back(page, now);
  } else {
    copies_.safe(page, now);
  }
  if (--adjustment.pages_left == 0) end(adjustment, now);
}

// Writes the valid units of the page from their copies to another location. They are at risk until they have been
// programmed there.
void IdaRenewal::write_back(Ppa first_unit, Tick now) {
  ++counters_.written_back_pages;
  migrator_.write_copy(first_unit, copies_, now);
  copies_.safe(first_unit, now);
}

void IdaRenewal::end(Adjustment& adjustment, Tick now) {
  const Superblock block = adjustment.of;
  drop_copies(block, adjustment.wordline);
  adjustments_.release(adjustment);
  if (gave_up(block)) migrator_.close_pages_of(layout_.mapping().plane_of(block));
  step_ended(block, now);
}

void IdaRenewal::step_ended(Superblock block, Tick now) {
  collector_.step_ended(block, now);
  migrator_.step_ended(layout_.mapping().plane_of(block));
}

void IdaRenewal::ended(Superblock block, Tick now) {
  Renewed& renewed = renewed_of(block);
  renewed.block = Superblock();
  ++counters_.blocks;
  blocks_.set_renewed(block);
  ages_.renewed(block, now);
  if (renewed.failed) collector_.block_failed(block, now);
}

// Stops the renewal. A wordline that is being adjusted keeps its copies until its pages have been read back.
void IdaRenewal::give_up(Superblock block) {
  if (gave_up(block)) return;
  Renewed& renewed = renewed_of(block);
  renewed.block = Superblock();
  while (renewed.next_wordline < wordlines(block)) drop_copies(block, renewed.next_wordline++);
}

}  // namespace nandscape::controller
