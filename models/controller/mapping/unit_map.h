// SPDX-License-Identifier: Apache-2.0
// Which place on flash holds which mapping unit, in both directions, and which units are lost. Behind the units of the
// host stand the translation pages, where the mapping itself is on flash.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "controller/addresses/flash_layout.h"
#include "controller/addresses/ids.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/mapping_table.h"
#include "core/archive.h"

namespace nandscape::controller {

class UnitMap {
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

  // The place has been programmed with the unit, which was at `old` before, or nowhere.
  void map(Lpn lpn, Ppa old, Ppa place) {
    if (old.valid()) blocks_.invalidate(old);
    blocks_.hold(place, lpn);
    table_.map(lpn, place);
  }
  // The unit is again where it was moved from, in a block that was not erased since.
  void map_back(Lpn lpn, Ppa from, Ppa to) {
    blocks_.invalidate(from);
    blocks_.hold_again(to, lpn);
    table_.map(lpn, to);
  }
  // The place holds the unit already, which was unmapped.
  void map_again(Lpn lpn, Ppa place) { table_.map(lpn, place); }
  void unmap(Lpn lpn) { table_.unmap(lpn); }
  // The units hold nothing any more; their places are to be invalidated before.
  void unmap(Lpn first, std::uint64_t count) { table_.unmap(first, count); }

  // What stands at the unit's place is not what was written to it: its data could not be read when they had to move.
  // Until it is written or trimmed, reads of it fail.
  bool lost(Lpn lpn) const { return !lost_.empty() && lost_.contains(lpn.value); }
  void set_lost(Lpn lpn) { lost_.insert(lpn.value); }
  void set_not_lost(Lpn lpn) {
    if (!lost_.empty()) lost_.erase(lpn.value);
  }
  void set_none_lost() { lost_.clear(); }

  // Writes and trims are numbered: the newest version is what a unit holds.
  std::uint64_t version() const { return version_; }
  std::uint64_t next_version() { return ++version_; }
  // Versions up to that one are known to be on flash.
  void found_version(std::uint64_t version) { version_ = version > version_ ? version : version_; }

  // The newest version, and which units are lost.
  void persist(Archive& archive);
  // Table and blocks are each other's inverse. Where neither was touched they say what the fill has made of them, so
  // that only the rest is looked at.
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
