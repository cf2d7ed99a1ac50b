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
