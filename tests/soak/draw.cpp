// SPDX-License-Identifier: Apache-2.0
#include "draw.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "draw_settings.h"

namespace nandscape::soak {

namespace {

// How often each kind of operation occurs in an episode. The values are numbers per 1500 operations, except that those
// with `percent` in their name are percentages, and `hot_sectors` and `longest` are in sectors. All remaining
// operations are writes.
struct Style {
  unsigned reads, trims, flushes, forced, waits, runs;
  unsigned resets, cuts, shut_downs, checkpoints, advances;
  unsigned program_faults, erase_faults, adjustment_faults, block_faults, kills;
  unsigned hot_percent, whole_percent;
  std::uint64_t hot_sectors, longest;
};

Style draw_style(RandomStream& random, const DrawnDrive& drive) {
  const auto up_to = [&](unsigned most) { return static_cast<unsigned>(random.below(most + 1)); };
  const auto sometimes = [&](unsigned percent, unsigned most) { return random.below(100) < percent ? up_to(most) : 0; };
  Style s{};
  s.reads = up_to(500);
  s.trims = sometimes(60, 80);
  s.flushes = sometimes(70, 80);
  s.forced = sometimes(60, 150);
  s.waits = sometimes(80, 300);
  s.runs = sometimes(70, 200);
  s.resets = sometimes(30, 15);
  s.cuts = sometimes(50, 15);
  s.shut_downs = sometimes(15, 5);
  s.checkpoints = drive.at_pins ? 0 : sometimes(30, 10);
  s.advances = sometimes(25, 10);
  // Such a drive renews blocks continuously. While simulated hours pass, it would renew all blocks at each of about a
  // thousand checks, which takes too long to simulate.
  if (drive.adjusts && !drive.real_cells) s.advances = 0;
  const bool faults = random.below(100) < 40;
  s.program_faults = faults ? sometimes(70, 12) : 0;
  s.erase_faults = faults ? sometimes(50, 12) : 0;
  s.adjustment_faults = faults && drive.adjusts ? up_to(12) : 0;
  s.block_faults = faults ? sometimes(50, 8) : 0;
  s.kills = faults ? sometimes(8, 3) : 0;
  s.hot_percent = up_to(100);
  s.whole_percent = up_to(100);
  s.hot_sectors = drive.page_sectors * (1 + random.below(12));
  s.longest = drive.page_sectors * (1 + random.below(6));
  return s;
}

Operation draw_extent(RandomStream& random, const Style& s, const DrawnDrive& drive, Kind kind) {
  // The first sector may exceed the capacity, since operations take it modulo the capacity.
  constexpr std::uint64_t anywhere = 1 << 20;
  const bool hot = random.below(100) < s.hot_percent;
  const std::uint64_t first = random.below(hot ? s.hot_sectors : anywhere);
  if (random.below(100) >= s.whole_percent) return {kind, first, 1 + random.below(s.longest)};
  const std::uint64_t pages = 1 + random.below(std::max<std::uint64_t>(s.longest / drive.page_sectors, 1));
  return {kind, first / drive.page_sectors * drive.page_sectors, pages * drive.page_sectors};
}

// Draws a duration between one tick and the duration of several block erases.
std::uint64_t draw_time(RandomStream& random) { return static_cast<std::uint64_t>(std::exp2(random.uniform() * 25)); }

std::uint64_t draw_hours(RandomStream& random) { return random.below(3) != 0 ? 0 : random.below(1000); }

Operation draw_operation(RandomStream& random, const Style& s, const DrawnDrive& drive) {
  std::uint64_t dice = random.below(1500);
  const auto is = [&dice](unsigned share) {
    const bool chosen = dice < share;
    dice -= chosen ? 0 : share;
    return chosen;
  };
  if (is(s.reads)) return draw_extent(random, s, drive, Kind::read);
  if (is(s.trims)) return draw_extent(random, s, drive, Kind::trim);
  if (is(s.flushes)) return {Kind::flush};
  if (is(s.forced)) return draw_extent(random, s, drive, Kind::forced_write);
  if (is(s.waits)) return {Kind::wait};
  if (is(s.runs)) return {Kind::run, draw_time(random)};
  if (is(s.resets)) return {Kind::reset};
  if (is(s.cuts)) return {Kind::power_cut, draw_hours(random)};
  if (is(s.shut_downs)) return {Kind::shut_down, draw_hours(random)};
  if (is(s.checkpoints)) return {Kind::checkpoint};
  if (is(s.advances)) return {Kind::advance, random.below(1000)};
  if (is(s.program_faults)) return {Kind::fail_programs, random.below(16), 1 + random.below(3)};
  if (is(s.erase_faults)) return {Kind::fail_erases, random.below(16), 1 + random.below(2)};
  if (is(s.adjustment_faults)) return {Kind::fail_adjustments, random.below(16), 1 + random.below(3)};
  if (is(s.block_faults)) return {Kind::fail_block, random.below(1 << 10)};
  if (is(s.kills)) return {Kind::kill_die, random.below(16)};
  return draw_extent(random, s, drive, Kind::write);
}

}  // namespace

Sequence draw_sequence(std::uint64_t seed) {
  RandomStream random(seed, "soak");
  const DrawnDrive drive = draw_drive(random);
  const Style style = draw_style(random, drive);
  Sequence sequence;
  sequence.settings = drive.settings;
  // Episodes with slow drives are shorter. For example, an operation at ONFI pins may need 0.2 s of processor time.
  const double length = std::exp2(5 + random.uniform() * (drive.real_cells || drive.at_pins ? 4 : 6));
  for (auto left = static_cast<int>(length); left > 0; --left) {
    sequence.operations.push_back(draw_operation(random, style, drive));
  }
  return sequence;
}

}  // namespace nandscape::soak
