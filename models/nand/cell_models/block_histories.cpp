// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/block_histories.h"

#include <algorithm>
#include <utility>

namespace nandscape::nand {

namespace {

constexpr double ticks_per_hour = 3600e12;
// Wordlines that were programmed within 1e-4 months, which is about four minutes, are considered to have the same age.
constexpr double same_age_months = 1e-4;
// Limits for restored values, far beyond the life of any device.
constexpr double most_months = 1e9;
constexpr std::uint32_t most_cycles = 1u << 30;
constexpr std::uint64_t most_reads = std::uint64_t{1} << 48;

}  // namespace

BlockHistories::BlockHistories(const ConditionParameters& first, double storage_months_at_30c,
                               double running_months_at_30c, std::uint32_t blocks, std::unique_ptr<InitialAges> initial)
    : first_cycles_(first.pe_cycles),
      first_age_months_(first.retention_days * 24 / hours_per_month * storage_months_at_30c),
      initial_(std::move(initial)),
      months_per_tick_(running_months_at_30c / (hours_per_month * ticks_per_hour)),
      index_(blocks),
      records_(1) {
  records_[untouched].reads = first.block_reads;
}

double BlockHistories::initial_age_months(BlockInDie block) const {
  const double months = initial_->hours(block) * ticks_per_hour * months_per_tick_;
  return initial_->from_first_condition(block) ? first_age_months_ + months : months;
}

std::uint32_t BlockHistories::add(BlockInDie block) {
  index_[block] = static_cast<std::uint32_t>(records_.size());
  records_.emplace_back().reads = records_[untouched].reads;
  return index_[block];
}

void BlockHistories::erase(BlockInDie block) {
  Record& record = touch(block);
  ++record.erases;
  record.initial = false;
  record.reads = 0;
  record.runs.clear();
  record.adjusted.clear();
}

void BlockHistories::begin_runs(BlockInDie block, Record& record) const {
  if (record.initial) record.runs.push_back({0, -first_age_months(block)});
  record.initial = false;
}

void BlockHistories::program(BlockInDie block, std::uint32_t wordline, Tick now) {
  Record& record = touch(block);
  const double months = clock(now);
  begin_runs(block, record);
  // If a block was empty at the start, it still has the age that was assumed for its data. This age is discarded when
  // the first wordline is programmed.
  if (wordline == 0) record.runs.clear();
  if (record.runs.empty() || months - record.runs.back().months > same_age_months) {
    record.runs.push_back({wordline, months});
  }
}

void BlockHistories::adjust(BlockInDie block, std::uint32_t wordline, Tick now) {
  std::vector<Run>& adjusted = touch(block).adjusted;
  const auto place = std::ranges::lower_bound(adjusted, wordline, {}, &Run::wordline);
  if (place != adjusted.end() && place->wordline == wordline) {
    place->months = clock(now);
  } else {
    adjusted.insert(place, {wordline, clock(now)});
  }
}

void BlockHistories::persist(Archive& archive, Tick now, std::uint32_t wordlines) {
  archive.section("block histories");
  archive.expect("blocks", index_.size());
  archive.expect("wordlines", wordlines);
  Tick saved_at = now;
  archive(saved_at);
  archive.real(skipped_months_, -most_months, most_months, "the time in storage, in months,");
  const auto ahead = static_cast<double>(saved_at) - static_cast<double>(now);
  if (saved_at != now) skipped_months_ += ahead * months_per_tick_;
  if (archive.loading()) records_.resize(1);
  // Records are saved in the order of the blocks, not in the order in which the blocks were first used. Equal states
  // thus give equal bytes.
  for (const BlockInDie block : index_.places()) {
    bool touched = index_[block] != untouched;
    archive(touched);
    if (archive.loading()) {
      index_[block] = untouched;
      if (!touched) continue;
      records_[add(block)].initial = false;
    }
    if (!touched) continue;
    begin_runs(block, records_[index_[block]]);
    persist(archive, records_[index_[block]], wordlines, clock(now));
  }
}

void BlockHistories::persist(Archive& archive, Record& record, std::uint32_t wordlines, double clock) const {
  archive.number(record.erases, most_cycles, "the erases of a block");
  archive.number(record.reads, most_reads, "the reads of a block");
  // The clock is a sum with rounding errors, so a saved time may be slightly later than the clock.
  const double newest = clock + same_age_months;
  archive.list(record.runs, wordlines, "programs of a block", [&](Run& run) {
    archive.index(run.wordline, wordlines, "the wordline that was programmed");
    archive.real(run.months, -most_months, newest, "the time of a program, in months,");
  });
  const auto out_of_order = [](const Run& run, const Run& next) {
    return run.wordline >= next.wordline || run.months > next.months;
  };
  archive.require(std::ranges::adjacent_find(record.runs, out_of_order) == record.runs.end(),
                  "the wordlines of a block were not programmed in their order");
  archive.list(record.adjusted, wordlines, "adjustments of a block", [&](Run& run) {
    archive.index(run.wordline, wordlines, "the wordline that was adjusted");
    archive.real(run.months, -most_months, newest, "the time of an adjustment, in months,");
  });
  const auto not_rising = [](const Run& run, const Run& next) { return run.wordline >= next.wordline; };
  archive.require(std::ranges::adjacent_find(record.adjusted, not_rising) == record.adjusted.end(),
                  "the adjusted wordlines of a block are not in their order");
}

double BlockHistories::age_since_start(BlockInDie block, const Record& record, std::uint32_t wordline, Tick now) const {
  const std::vector<Run>& adjusted = record.adjusted;
  if (const auto found = std::ranges::lower_bound(adjusted, wordline, {}, &Run::wordline);
      found != adjusted.end() && found->wordline == wordline) {
    return clock(now) - found->months;
  }
  if (record.initial) return first_age_months(block) + clock(now);
  const std::vector<Run>& runs = record.runs;
  std::size_t run = runs.size();
  while (run > 1 && runs[run - 1].wordline > wordline) --run;
  return run == 0 ? 0 : clock(now) - runs[run - 1].months;
}

}  // namespace nandscape::nand
