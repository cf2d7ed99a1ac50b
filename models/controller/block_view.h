// SPDX-License-Identifier: Apache-2.0
// A view of all superblocks of a drive at one time: their place, state, wear, content and age.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/mapping/power_state.h"
#include "controller/power_loss/journal_writer.h"
#include "core/ticks.h"

namespace nandscape::controller {

struct MappingParts;

// One value for each superblock, in the order of their numbers.
struct BlockView {
  static constexpr std::int32_t on_several = -1;  // the blocks of the superblock are on several channels or dies

  std::vector<std::uint32_t> plane;        // plane of the mapping
  std::vector<std::int32_t> channel;       // or on_several
  std::vector<std::int32_t> die;           // over the whole device, or on_several
  std::vector<std::uint8_t> state;         // BlockTable::State
  std::vector<std::uint8_t> write_mode;    // BlockTable::write_mode()
  std::vector<std::uint8_t> cells;         // ProgramMode
  std::vector<std::uint32_t> erases;       // since the start of the simulation
  std::vector<std::uint32_t> slc_erases;   // the part of `erases` that ended a use in SLC mode
  std::vector<std::uint32_t> cycles;       // erases, and the cycles that the flash had at the start
  std::vector<std::uint32_t> units;        // mapping units that the block holds when it is full
  std::vector<std::uint32_t> valid_units;  // mapping units with data that no later write replaced
  // Pages for data, without parity, that were given to programs; all of them if the block was closed early.
  std::vector<std::uint32_t> programmed_pages;
  std::vector<double> age_hours;  // of the first data, in equivalent hours at 30 C; NaN without valid data
  std::vector<double> reads;      // since the erase, as BlockReads counts them; NaN if it does not count
};

// Returns the view at the time `now`.
BlockView view_blocks(const MappingParts& mapping, const JournalWriter& journal, const DriveClock& clock, Tick now);

}  // namespace nandscape::controller
