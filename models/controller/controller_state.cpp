// SPDX-License-Identifier: Apache-2.0
// What of the controller outlives it: its state at rest, for checkpoints, and what it has counted, for a controller of
// another power cycle.
#include <algorithm>
#include <stdexcept>

#include "controller/controller.h"

namespace nandscape {

void describe(const PowerLossCounters& c, StatisticsVisitor& v) {
  v.count("cuts", c.cuts, "times that the power went");
  v.count("unsafe_shutdowns", c.unsafe_shutdowns, "of these, without notice to the drive");
  v.real("hold_up_us", us_from_ticks(c.hold_up), "us", "time in which a capacitor fed the drive, over all cuts");
  v.real("recovery_us", us_from_ticks(c.recovery), "us", "time from power-on until the drive was ready, over all cuts");
}

bool Controller::settled() const {
  return writes_.empty() && trims_.empty() && flushes_.empty() && !recovering() && !journal_.pending() &&
         erases_waiting_.empty() && io_.in_use() == 0 && collector_.at_rest() && mapping_cache_.idle();
}

void Controller::persist(Archive& archive) {
  if (!settled()) throw std::logic_error("the state of a controller is saved or read back while it is at work");
  archive.section("controller");
  archive.expect("logical pages", logical_pages_);
  archive.expect("blocks in a superblock", layout_.members());
  mapping_.persist(archive);
  mapping_cache_.persist(archive);
  blocks_.persist(archive);
  collector_.persist(archive);
  scheduler_.persist(archive);
  writer_.persist(archive);
  archive.variant(parameters_.streams.policy.name, [this](Archive& state) { streams_->persist(state); });
  levelling_.persist(archive);
  read_disturb_.persist(archive);
  scrub_.persist(archive);
  reader_.persist(archive);
  archive(upkeep_due_, refresh_due_, shelf_hours_, written_hours_);
  // Of what was written before anybody had to know when, it is taken to be old.
  if (ages_matter()) written_hours_.resize(layout_.mapping().blocks());
  journal_.persist(archive);
  archive(trimmed_);
  archive(version_, last_plane_, retired_, room_, read_only_, no_place_left_, mapping_lost_);
  archive(failures_in_a_row_, closed_);
  persist_lost(archive);
}

void Controller::persist_lost(Archive& archive) {
  std::vector<std::uint64_t> lost(lost_.begin(), lost_.end());
  std::sort(lost.begin(), lost.end());
  archive(lost);
  lost_ = {lost.begin(), lost.end()};
}

void Controller::persist_counters(Archive& archive) {
  archive.section("counters of the controller");
  archive(counters_);
  reader_.persist_counters(archive);
  journal_.persist_counters(archive);
  writer_.persist_counters(archive);
  if (fullpages_) fullpages_->persist_counters(archive);
  collector_.persist_counters(archive);
  scheduler_.persist_counters(archive);
  mapping_cache_.persist_counters(archive);
}

}  // namespace nandscape
