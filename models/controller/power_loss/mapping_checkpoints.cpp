// SPDX-License-Identifier: Apache-2.0
#include "controller/power_loss/mapping_checkpoints.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace nandscape::controller {

MappingCheckpoints::MappingCheckpoints(bool kept, std::uint32_t entry_bytes, const FlashLayout& layout,
                                       const PageTimes& times, UnitMap& map, MappingTable& table, BlockTable& blocks,
                                       const MappingCache& mapping_cache, TrimmedRanges& trimmed,
                                       JournalWriter& journal)
    : kept_(kept),
      entry_bytes_(entry_bytes),
      layout_(layout),
      times_(times),
      map_(map),
      table_(table),
      blocks_(blocks),
      mapping_cache_(mapping_cache),
      trimmed_(trimmed),
      journal_(journal) {}

// Returns the number of pages of a checkpoint. A checkpoint contains one entry for each mapping unit, or one for each
// translation page if the mapping is stored on flash, and one word for each block.
std::uint64_t MappingCheckpoints::pages() const {
  const std::uint64_t entries = mapping_cache_.enabled() ? mapping_cache_.translation_pages() : map_.host_units();
  const auto page_number_bytes = (static_cast<std::uint32_t>(std::bit_width(layout_.mapping().units())) + 7) / 8;
  const std::uint64_t bytes =
      entries * std::max(entry_bytes_, page_number_bytes) + layout_.flash().blocks() * sizeof(std::uint32_t);
  const std::uint32_t page_bytes = layout_.flash().page_bytes;
  return (bytes + page_bytes - 1) / page_bytes;
}

// Returns the time to read or write the checkpoint, where `array` is the array time of one page. Nothing else runs
// meanwhile, so either the arrays or the buses are busy all the time. The slower of the two determines the result, to
// which the time of one page on the other is added.
Tick MappingCheckpoints::time(Tick array) const {
  const std::uint64_t count = pages();
  const auto rounds = [count](std::uint64_t side_by_side) { return (count + side_by_side - 1) / side_by_side; };
  const Tick arrays = rounds(layout_.flash().planes()) * array;
  const Tick buses = rounds(layout_.flash().channels) * times_.bus;
  return std::max(arrays + times_.bus, buses + array);
}

void MappingCheckpoints::persist_mapping(Archive& archive) {
  archive.section("checkpoint of the mapping");
  table_.persist(archive);
  blocks_.persist(archive);
  map_.persist(archive);
  trimmed_.persist(archive, map_.host_units(), map_.version());
}

void MappingCheckpoints::note_uneven(const WriteFrontier& frontier) {
  uneven_.clear();
  for (const Superblock block : blocks_.geometry().every_block()) {
    if (!layout_.spans_planes() || blocks_.state(block) != BlockTable::State::open) continue;
    std::vector<std::uint32_t> rows(layout_.members());
    for (std::uint32_t member = 0; member < rows.size(); ++member) {
      rows[member] = frontier.programmed_rows(block, member);
    }
    if (std::ranges::adjacent_find(rows, std::not_equal_to()) != rows.end()) uneven_[block] = std::move(rows);
  }
}

void MappingCheckpoints::persist_uneven(Archive& archive) {
  std::vector<Superblock> blocks;
  for (const auto& [block, rows] : uneven_) blocks.push_back(block);
  if (archive.loading()) uneven_.clear();
  archive.list(blocks, blocks_.geometry().blocks(), "uneven superblocks", [&](Superblock& block) {
    archive.index(block, blocks_.geometry().blocks(), "an uneven superblock");
    std::vector<std::uint32_t>& rows = uneven_[block];
    rows.resize(layout_.members());
    for (std::uint32_t& count : rows)
      archive.number(count, layout_.flash().pages_per_block, "the programmed rows of a member");
  });
}

std::uint32_t MappingCheckpoints::rows_of_open(Superblock block, std::uint32_t member) const {
  const std::optional<std::uint32_t> even = even_rows_of_open(block);
  return even ? *even : uneven_.at(block)[member];
}

std::optional<std::uint32_t> MappingCheckpoints::even_rows_of_open(Superblock block) const {
  if (uneven_.contains(block)) return std::nullopt;
  return blocks_.next_page(block) / layout_.units_per_row();
}

void MappingCheckpoints::write(bool complete, const WriteFrontier& frontier) {
  pages_written_ += pages();
  note_uneven(frontier);
  Archive archive;
  persist_mapping(archive);
  persist_uneven(archive);
  if (complete) journal_.persist(archive);
  state_ = archive.take();
  complete_ = complete;
}

void MappingCheckpoints::load(bool complete) {
  if (state_.empty()) return;
  Archive archive(state_);
  persist_mapping(archive);
  persist_uneven(archive);
  map_.check(archive);
  if (complete) journal_.persist(archive);
}

void MappingCheckpoints::try_load(const Archive& archive) {
  archive.require(!complete_, "the checkpoint of the mapping is marked as complete, but the drive has power");
  if (kept_) load(false);
}

}  // namespace nandscape::controller
