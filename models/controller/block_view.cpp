// SPDX-License-Identifier: Apache-2.0
#include "controller/block_view.h"

#include <limits>

#include "controller/ftl_parts.h"

namespace nandscape::controller {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

void add_place(BlockView& view, const FlashLayout& layout, FtlPlane plane) {
  const auto number = [](auto id) { return id.valid() ? static_cast<std::int32_t>(id.value) : BlockView::on_several; };
  view.plane.push_back(plane.value);
  view.channel.push_back(number(layout.channel_of(plane)));
  view.die.push_back(number(layout.die_of(plane)));
}

std::uint32_t programmed_pages(const BlockTable& blocks, const JournalWriter& journal, Superblock block) {
  // A block of the journal that takes no more pages is full.
  if (blocks.state(block) == BlockTable::State::journal) {
    return journal.programmed_pages(block).value_or(blocks.shape(block).rows);
  }
  return blocks.next_page(block) / blocks.units_per_page();
}

// The age of the first data of the block, whether or not the drive had power. A power cut may leave data in the block
// whose program ended before the controller knew; their age is unknown.
double age_hours(const MappingParts& mapping, const DriveClock& clock, Superblock block, Tick now) {
  const double written = mapping.lives.written_hours(block);
  if (mapping.blocks.valid_pages(block) == 0 || written == BlockLives::not_written) return unknown;
  if (written == BlockLives::before_start) return mapping.ages.initial_hours(block, clock.hours(now));
  return clock.hours(now) - written;
}

}  // namespace

BlockView view_blocks(const MappingParts& mapping, const JournalWriter& journal, const DriveClock& clock, Tick now) {
  const BlockTable& blocks = mapping.blocks;
  BlockView view;
  for (const Superblock block : blocks.geometry().every_block()) {
    add_place(view, mapping.layout, blocks.geometry().plane_of(block));
    view.state.push_back(static_cast<std::uint8_t>(blocks.state(block)));
    view.write_mode.push_back(blocks.write_mode(block));
    view.cells.push_back(static_cast<std::uint8_t>(blocks.shape(block).cells));
    view.erases.push_back(mapping.lives.erases(block));
    view.slc_erases.push_back(mapping.lives.slc_erases(block));
    view.cycles.push_back(mapping.age_facts.first.pe_cycles + mapping.lives.erases(block));
    view.units.push_back(blocks.shape(block).units());
    view.valid_units.push_back(blocks.valid_pages(block));
    view.programmed_pages.push_back(programmed_pages(blocks, journal, block));
    view.age_hours.push_back(age_hours(mapping, clock, block, now));
    view.reads.push_back(mapping.reads.counted() ? mapping.reads.of(block) : unknown);
  }
  return view;
}

}  // namespace nandscape::controller
