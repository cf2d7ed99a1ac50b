// SPDX-License-Identifier: Apache-2.0
#include "controller/retention/retention_tracker.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace nandscape::controller {

namespace {

// The interval at which the background task runs [Liu et al., FAST 2012, section 5.1].
constexpr Tick task_interval = 100 * millisecond;

// When time passes without simulation, it advances in steps of at least a period divided by most_steps.
constexpr double most_steps = 1000;

}  // namespace

std::uint8_t RelaxedBlocks::open(Superblock block, Tick now) {
  opened_hours_[block.value] = clock_.hours(now);
  return static_cast<std::uint8_t>(1 + period(now) % modes);
}

std::uint32_t RelaxedBlocks::periods_since(std::uint8_t mode, Tick now) const {
  return static_cast<std::uint32_t>((period(now) + modes - (mode - 1u) % modes) % modes);
}

void RelaxedBlocks::found(Superblock block, std::uint8_t mode, Tick now) {
  const double since = periods_since(mode, now) * period_hours_;
  opened_hours_[block.value] = std::max(0.0, period_begin(now) - since);
}

void RelaxedBlocks::persist(Archive& archive) {
  constexpr double most_hours = 1e12;  // more than the lifetime of any drive
  for (double& opened : opened_hours_) archive.real(opened, 0, most_hours, "the hour at which a block was opened");
}

RetentionTracker::RetentionTracker(RelaxedBlocks& relaxed, const GuaranteeContext& context)
    : relaxed_(relaxed),
      blocks_(context.blocks),
      clock_(context.clock),
      host_(context.host),
      asked_for_(context.blocks.geometry().blocks()) {
  relaxed_.resize(context.blocks.geometry().blocks());
}

// Returns at the latest the beginning of the next period, since any block may become due at that time.
Tick RetentionTracker::due(Tick now) const {
  const double hours = std::clamp(next(now), clock_.hours(now), relaxed_.period_end(now)) - clock_.hours(now);
  const Tick at = std::max(clock_.after(hours, now), now + 1);
  return at < never - task_interval ? (at + task_interval - 1) / task_interval * task_interval : never;
}

double RetentionTracker::hours_left(Tick now) const {
  return std::max(next(now) - clock_.hours(now), relaxed_.period_hours() / most_steps);
}

double RetentionTracker::next(Tick now) const {
  bool any = false, waiting = false, now_due = period_ != relaxed_.period(now);
  for (const Superblock block : blocks_.geometry().every_block()) {
    if (blocks_.write_mode(block) == 0) continue;
    const bool open = blocks_.state(block) == BlockTable::State::open;
    any |= open || holds_data(block);
    if (periods_since(block, now) == 0) continue;
    now_due |= open;
    waiting |= waits(block) && !asked_for_[block.value];
  }
  if (!any) return std::numeric_limits<double>::infinity();
  return now_due ? 0 : waiting ? next_hours_ : relaxed_.period_end(now);
}

void RetentionTracker::work(Tick now) {
  if (std::exchange(period_, relaxed_.period(now)) != relaxed_.period(now)) next_hours_ = relaxed_.period_begin(now);
  std::vector<Superblock> waiting;
  for (const Superblock block : blocks_.geometry().every_block()) {
    if (blocks_.write_mode(block) == 0 || periods_since(block, now) == 0) continue;
    if (blocks_.state(block) == BlockTable::State::open) host_.close(block);
    if (blocks_.valid_pages(block) == 0 && blocks_.pinned(block)) host_.make_durable(block);
    if (waits(block)) waiting.push_back(block);
  }
  std::ranges::stable_sort(waiting, {}, [this](Superblock block) { return relaxed_.opened_hours(block); });
  // A request for an overdue block is repeated until the block is erased.
  std::erase_if(waiting, [&](Superblock block) {
    const bool overdue = periods_since(block, now) > 1;
    if (overdue) ask(block, now);
    return overdue || asked_for_[block.value];
  });
  ask_in_turn(waiting, now);
}

// Requests one waiting block after the other, at intervals that divide the rest of the period evenly. After the last
// request, one more interval follows. If no block has been waiting, a block that becomes due is requested at once.
void RetentionTracker::ask_in_turn(std::span<const Superblock> waiting, Tick now) {
  const double end = relaxed_.period_end(now), hours = clock_.hours(now);
  for (; !waiting.empty() && next_hours_ <= hours; waiting = waiting.subspan(1)) {
    next_hours_ += (end - next_hours_) / static_cast<double>(waiting.size());
    ask(waiting.front(), now);
  }
  if (waiting.empty()) next_hours_ = hours;
}

void RetentionTracker::ask(Superblock block, Tick now) {
  asked_for_[block.value] = true;
  host_.empty(block, now);
}

void RetentionTracker::resume(Tick now) {
  for (const Superblock block : blocks_.geometry().every_block()) {
    if (blocks_.write_mode(block) != 0) relaxed_.found(block, blocks_.write_mode(block), now);
  }
  period_ = relaxed_.period(now);
  next_hours_ = clock_.hours(now);
  work(now);
}

void RetentionTracker::block_erased(Superblock block, Tick now) {
  if (!asked_for_[block.value]) return;
  asked_for_[block.value] = false;
  longest_hours_ = std::max(longest_hours_, relaxed_.age_hours(block, now));
}

GuaranteeCounters RetentionTracker::counters(Tick now) const {
  GuaranteeCounters counters;
  for (const Superblock block : blocks_.geometry().every_block()) {
    if (!holds_data(block)) continue;
    ++counters.blocks;
    counters.oldest_hours = std::max(counters.oldest_hours, relaxed_.age_hours(block, now));
  }
  counters.longest_hours = longest_hours_;
  return counters;
}

void RetentionTracker::persist(Archive& archive) {
  constexpr double most_hours = 1e12;  // more than the lifetime of any drive
  relaxed_.persist(archive);
  archive(period_);
  archive.real(next_hours_, 0, most_hours, "the hour of the next reprogramming");
  for (std::size_t block = 0; block < asked_for_.size(); ++block) {
    bool asked_for = asked_for_[block];
    archive(asked_for);
    asked_for_[block] = asked_for;
  }
}

}  // namespace nandscape::controller
