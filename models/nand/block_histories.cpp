// SPDX-License-Identifier: Apache-2.0
#include "nand/block_histories.h"

#include <utility>

namespace nandscape {

namespace {

constexpr double ticks_per_hour = 3600e12;
// Wordlines programmed within a ten-thousandth of a month, four minutes, count as of one age.
constexpr double same_age_months = 1e-4;

}  // namespace

BlockHistories::BlockHistories(const ConditionParameters& first, double storage_months_at_30c,
                               double running_months_at_30c, std::uint32_t blocks, std::unique_ptr<InitialAges> initial)
    : first_cycles_(first.pe_cycles),
      first_reads_(first.block_reads),
      first_age_months_(first.retention_days * 24 / hours_per_month * storage_months_at_30c),
      initial_(std::move(initial)),
      months_per_tick_(running_months_at_30c / (hours_per_month * ticks_per_hour)),
      index_(blocks) {}

double BlockHistories::first_age_months(std::uint32_t block) const {
  if (initial_ == nullptr) return first_age_months_;
  const double months = initial_->hours(block) * ticks_per_hour * months_per_tick_;
  return initial_->from_first_condition(block) ? first_age_months_ + months : months;
}

BlockHistories::Record& BlockHistories::touch(std::uint32_t block) {
  std::uint32_t& index = index_[block];
  if (index == 0) {
    records_.push_back({0, first_reads_, {{0, -first_age_months(block)}}});
    index = static_cast<std::uint32_t>(records_.size());
  }
  return records_[index - 1];
}

std::uint32_t BlockHistories::cycles(std::uint32_t block) const { return first_cycles_ + erases(block); }

void BlockHistories::erase(std::uint32_t block) {
  Record& record = touch(block);
  ++record.erases;
  record.reads = 0;
  record.runs.clear();
}

void BlockHistories::program(std::uint32_t block, std::uint32_t wordline, Tick now) {
  Record& record = touch(block);
  const double months = clock(now);
  // A block that was empty from the start, and what was assumed of it, begins here.
  if (wordline == 0) record.runs.clear();
  if (record.runs.empty() || months - record.runs.back().months > same_age_months) {
    record.runs.push_back({wordline, months});
  }
}

void BlockHistories::persist(Archive& archive, Tick now) {
  archive.section("block histories");
  archive.expect("blocks", index_.size());
  Tick saved_at = now;
  archive(saved_at, skipped_months_, index_, records_);
  const auto ahead = static_cast<double>(saved_at) - static_cast<double>(now);
  if (saved_at != now) skipped_months_ += ahead * months_per_tick_;
}

double BlockHistories::age_months(std::uint32_t block, std::uint32_t wordline, Tick now) const {
  if (!has(block)) return first_age_months(block) + clock(now);
  const std::vector<Run>& runs = record(block).runs;
  std::size_t run = runs.size();
  while (run > 1 && runs[run - 1].wordline > wordline) --run;
  return run == 0 ? 0 : clock(now) - runs[run - 1].months;
}

}  // namespace nandscape
