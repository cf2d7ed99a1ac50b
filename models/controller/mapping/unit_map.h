// SPDX-License-Identifier: Apache-2.0
// Maps mapping units to physical addresses and back, and tracks lost units. If the mapping itself is stored on flash,
// its translation pages are mapping units as well, numbered after the units of the host.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "controller/addresses/flash_layout.h"
#include "controller/addresses/ids.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/mapping_table.h"
#include "core/archive.h"
#include "core/component.h"

namespace nandscape::controller {

class UnitMap final : public Component {
 public:
  UnitMap(const FlashLayout& layout, MappingTable& table, BlockTable& blocks, std::uint64_t host_units,
          std::uint64_t translation_pages)
      : layout_(layout),
        table_(table),
        blocks_(blocks),
        host_units_(host_units),
        units_(host_units + translation_pages) {}

  std::uint64_t host_units() const { return host_units_; }
  std::uint64_t units() const { return units_; }
  bool is_translation_page(Lpn lpn) const { return lpn.value >= host_units_; }
  Lpn translation_page(std::uint64_t page) const { return Lpn(host_units_ + page); }
  bool is_whole(Lpn first, std::uint64_t count) const { return first.value == 0 && count == units_; }

  Ppa find(Lpn lpn) const { return table_.find(lpn); }
  void prefetch(Lpn lpn) const { table_.prefetch(lpn); }
  Lpn next_mapped(Lpn from, Lpn end) const { return table_.next_mapped(from, end); }

  // Maps the unit to the address `place`, where it has been programmed. `old` is its previous address, which is
  // invalidated; an invalid id if the unit was not mapped.
  void map(Lpn lpn, Ppa old, Ppa place) {
    if (old.valid()) blocks_.invalidate(old);
    blocks_.hold(place, lpn);
    table_.map(lpn, place);
  }
  // Reverts a move: maps the unit to the address `to` again, from which it had been moved to `from`. The block of `to`
  // must not have been erased since the move.
  void map_back(Lpn lpn, Ppa from, Ppa to) {
    blocks_.invalidate(from);
    blocks_.hold_again(to, lpn);
    table_.map(lpn, to);
  }
  // Maps an unmapped unit to an address that the block table still records as valid for the unit.
  void map_again(Lpn lpn, Ppa place) { table_.map(lpn, place); }
  void unmap(Lpn lpn) { table_.unmap(lpn); }
  // Unmaps the units [first, first + count). The caller must have invalidated their addresses.
  void unmap(Lpn first, std::uint64_t count) { table_.unmap(first, count); }

  // Whether the unit is lost: its data could not be read when they had to be moved, so its page holds other data. Reads
  // of a lost unit fail until the unit is written or trimmed.
  bool lost(Lpn lpn) const { return !lost_.empty() && lost_.contains(lpn.value); }
  void set_lost(Lpn lpn) { lost_.insert(lpn.value); }
  void set_not_lost(Lpn lpn) {
    if (!lost_.empty()) lost_.erase(lpn.value);
  }
  void set_none_lost() { lost_.clear(); }

  // The number of the latest write or trim. Writes and trims are numbered together, and the data with the highest
  // number are the valid data of a unit.
  std::uint64_t version() const { return version_; }
  std::uint64_t next_version() { return ++version_; }
  // Called when a version is found on flash. New versions will be higher.
  void found_version(std::uint64_t version) { version_ = version > version_ ? version : version_; }

  // Saves or restores the newest version and the set of lost units.
  void persist(Archive& archive) override;
  // Checks that the mapping table and the blocks agree: each mapped unit is held by its page, and each valid page
  // belongs to the unit that is mapped to it. Entries and blocks that have not changed both follow from the initial
  // fill and need no check.
  void check(Archive& archive) const;

 private:
  const FlashLayout& layout_;
  MappingTable& table_;
  BlockTable& blocks_;
  const std::uint64_t host_units_;
  const std::uint64_t units_;
  std::uint64_t version_ = 0;
  std::unordered_set<std::uint64_t> lost_;
};

}  // namespace nandscape::controller
