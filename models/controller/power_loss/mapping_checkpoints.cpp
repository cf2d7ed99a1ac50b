// SPDX-License-Identifier: Apache-2.0
#include "controller/power_loss/mapping_checkpoints.h"

#include <algorithm>
#include <bit>

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

// A checkpoint holds an entry for each unit, or for each translation page if the mapping is on flash, and a word for
// each block.
std::uint64_t MappingCheckpoints::pages() const {
  const std::uint64_t entries = mapping_cache_.enabled() ? mapping_cache_.translation_pages() : map_.host_units();
  const auto page_number_bytes = (static_cast<std::uint32_t>(std::bit_width(layout_.mapping().units())) + 7) / 8;
  const std::uint64_t bytes =
      entries * std::max(entry_bytes_, page_number_bytes) + layout_.flash().blocks() * sizeof(std::uint32_t);
  const std::uint32_t page_bytes = layout_.flash().page_bytes;
  return (bytes + page_bytes - 1) / page_bytes;
}

// The drive does nothing else, so arrays and buses are busy from the first page to the last. The slower of the two
// determines the time, plus one page's time on the other.
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

void MappingCheckpoints::write(bool complete) {
  pages_written_ += pages();
  Archive archive;
  persist_mapping(archive);
  if (complete) journal_.persist(archive);
  state_ = archive.take();
  complete_ = complete;
}

void MappingCheckpoints::load(bool complete) {
  if (state_.empty()) return;
  Archive archive(state_);
  persist_mapping(archive);
  map_.check(archive);
  if (complete) journal_.persist(archive);
}

void MappingCheckpoints::try_load(const Archive& archive) {
  archive.require(!complete_, "the checkpoint of the mapping is marked as complete, but the drive has power");
  if (kept_) load(false);
}

}  // namespace nandscape::controller
