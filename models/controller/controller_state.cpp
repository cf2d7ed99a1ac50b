// SPDX-License-Identifier: Apache-2.0
// What of the controller outlives it: its state at rest, for checkpoints, and what it has counted, for a controller of
// another power cycle.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "controller/controller.h"

namespace nandscape {

namespace {

// More than any drive is kept.
constexpr double most_hours = 1e12;

}  // namespace

void describe(const PowerLossCounters& c, StatisticsVisitor& v) {
  v.count("cuts", c.cuts, "times that the power went");
  v.count("unsafe_shutdowns", c.unsafe_shutdowns, "of these, without notice to the drive");
  v.real("hold_up_us", us_from_ticks(c.hold_up), "us", "time in which a capacitor fed the drive, over all cuts");
  v.real("recovery_us", us_from_ticks(c.recovery), "us", "time from power-on until the drive was ready, over all cuts");
}

// Where nothing is erased any more, the journal may find no block.
bool Controller::settled() const {
  const bool journal_rests = collector_.stopped() ? !journal_.writing() : !journal_.pending();
  return writes_.empty() && trims_.empty() && flushes_.empty() && !recovering() && journal_rests &&
         erases_waiting_.empty() && io_.in_use() == 0 && collector_.at_rest() && mapping_cache_.idle();
}

void Controller::persist(Archive& archive) {
  if (!settled()) throw std::logic_error("the state of a controller is saved or read back while it is at work");
  archive.section("controller");
  archive.expect("logical pages", logical_pages_);
  archive.expect("blocks in a superblock", layout_.members());
  if (archive.loading()) try_checkpoint(archive);
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
  persist_upkeep(archive);
  journal_.persist(archive);
  archive.section("versions and places");
  archive.number(version_, most_version, "the newest version");
  trimmed_.persist(archive, logical_pages_, version_);
  const std::uint32_t planes = layout_.mapping().planes();
  archive.table(last_plane_, last_plane_.size(), "streams",
                [&](PlaneId& plane) { archive.index(plane, planes, "the plane that was written last"); });
  archive(in_order_, retired_, read_only_, no_place_left_, mapping_lost_);
  archive.table(failures_in_a_row_, failures_in_a_row_.size(), "dies");
  archive.table(closed_, closed_.size(), "planes that may be closed");
  persist_lost(archive);
  archive.section("mapping and blocks");
  if (!archive.loading()) return;

  bool retired = false;
  for (std::uint32_t block = 0; block < layout_.mapping().blocks(); ++block) {
    retired |= blocks_.state(BlockId(block)) == BlockTable::State::retired;
  }
  archive.require(!retired_ || !in_order_, "blocks are retired, and all data are said to fit their planes");
  archive.require(retired_ || !retired, "blocks are retired, and the drive does not know it");
  archive.require(read_only_ == collector_.stopped(), "the drive is read-only, and collects, or the other way round");
  archive.require(read_only_ || !no_place_left_, "the drive has no place left, and is not read-only");
  room_ = retired_ ? room_of_all() : 0;
  check_mapping(archive);
}

// What a recovery will begin with is read once before all else, which takes its place: what is wrong with it is told
// now.
void Controller::try_checkpoint(const Archive& archive) {
  archive.require(!checkpoint_.complete, "the mapping on flash is said to be the latest, and the drive has power");
  if (keeps_checkpoints(parameters_)) load_checkpoint(false);
}

void Controller::persist_lost(Archive& archive) {
  std::vector<std::uint64_t> lost(lost_.begin(), lost_.end());
  std::ranges::sort(lost);
  archive.list(lost, stored_pages(), "lost pages",
               [&](std::uint64_t& lpn) { archive.index(lpn, stored_pages(), "a logical page that was lost"); });
  lost_ = {lost.begin(), lost.end()};
}

void Controller::persist_upkeep(Archive& archive) {
  archive.section("upkeep");
  const Tick interval = refresh_due_ == never ? 0 : ticks_from_s(parameters_.refresh.check_hours * 3600);
  archive(refresh_due_);
  const bool due_in_time = interval == 0 ? refresh_due_ == never : refresh_due_ <= calendar_.now() + interval;
  archive.require(due_in_time, "the next look at old blocks is not within its interval");
  upkeep_due_ = std::min(refresh_due_, scrub_.due());
  archive.real(shelf_hours_, 0, most_hours, "the time in storage, in hours,");
  archive(written_hours_);
  archive.require(written_hours_.empty() || written_hours_.size() == layout_.mapping().blocks(),
                  "it is known of a part of the blocks when they were written");
  // Of what was written before anybody had to know when, it is taken to be old.
  if (ages_matter()) written_hours_.resize(layout_.mapping().blocks());
}

// Table and mapping are each other's inverse. Where neither was touched they say what the fill has made of them, so
// that only the rest has to be looked at.
void Controller::check_mapping(Archive& archive) const {
  const auto require = [&](bool agree, Lpn lpn) {
    if (!agree) archive.refuse("logical page " + std::to_string(lpn.value) + " is mapped to what does not hold it");
  };
  const InitialFill& initial = mapping_.initial();
  mapping_.for_each_touched([&](Lpn lpn) {
    const Ppn place = mapping_.find(lpn);
    const Ppn before = initial.find(lpn);
    if (place.valid()) require(place.value < layout_.mapping().pages() && blocks_.held_by(place) == lpn, lpn);
    if (before.valid() && before != place) require(blocks_.held_by(before) != lpn, lpn);
  });
  const Geometry& g = layout_.mapping();
  const bool all_touched = mapping_.all_touched();
  for (std::uint32_t k = 0; k < g.blocks(); ++k) {
    const BlockId block(k);
    const bool used = !all_touched && k % g.blocks_per_plane < initial.used_blocks(g.plane_of(block));
    if (!blocks_.touched(block) || (blocks_.valid_pages(block) == 0 && !used)) continue;
    for (std::uint32_t page = 0; page < g.pages_per_block; ++page) {
      const Ppn place = g.page(block, page);
      const Lpn lpn = blocks_.held_by(place);
      if (lpn.valid()) require(lpn.value < stored_pages() && mapping_.find(lpn) == place, lpn);
      const Lpn before = used ? initial.lpn_at(place) : Lpn();
      if (before.valid() && before != lpn) require(mapping_.find(before) != place, before);
    }
  }
}

std::optional<std::uint32_t> Controller::programmed_pages(PlaneId flash_plane, std::uint32_t block_of_plane) const {
  const BlockId block = layout_.holding(flash_plane, block_of_plane);
  const std::uint32_t member =
      layout_.over_layers() ? block_of_plane % layout_.members() : layout_.member_of(flash_plane);
  switch (blocks_.state(block)) {
    case BlockTable::State::free: return 0;
    case BlockTable::State::open: return writer_.programmed_rows(block, member);
    case BlockTable::State::journal: return member == 0 ? journal_.programmed_pages(block) : std::nullopt;
    default: return std::nullopt;
  }
}

void Controller::persist_counters(Archive& archive) {
  archive.section("counters of the controller");
  archive(counters_.host_sectors_written, counters_.unmapped_reads, counters_.merge_reads, counters_.failed_erases,
          counters_.scrubbed_pages, counters_.recovery, counters_.power_loss);
  reader_.persist_counters(archive);
  journal_.persist_counters(archive);
  writer_.persist_counters(archive);
  if (fullpages_) fullpages_->persist_counters(archive);
  collector_.persist_counters(archive);
  scheduler_.persist_counters(archive);
  mapping_cache_.persist_counters(archive);
}

}  // namespace nandscape
