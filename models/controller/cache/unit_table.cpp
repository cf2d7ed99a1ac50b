// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/unit_table.h"

#include <utility>

#include "core/random.h"

namespace nandscape::controller {

std::size_t UnitTable::chain(Lpn lpn) const { return mix64(lpn.value) & (chains_.size() - 1); }

CachedUnit* UnitTable::find(Lpn lpn) const {
  CachedUnit* unit = chains_[chain(lpn)];
  while (unit != nullptr && unit->lpn != lpn) unit = unit->next_of_hash;
  return unit;
}

CachedUnit& UnitTable::add(Lpn lpn) {
  if (free_ == nullptr) touch_next();
  CachedUnit& unit = *free_;
  free_ = unit.next_of_hash;
  ++in_use_;
  CachedUnit fresh;
  fresh.lpn = lpn;
  fresh.index = unit.index;
  fresh.data = unit.data;
  unit = fresh;
  CachedUnit*& head = chains_[chain(lpn)];
  unit.next_of_hash = head;
  head = &unit;
  return unit;
}

void UnitTable::remove(CachedUnit& unit) {
  CachedUnit** link = &chains_[chain(unit.lpn)];
  while (*link != &unit) link = &(*link)->next_of_hash;
  *link = unit.next_of_hash;
  unit.lpn = Lpn();
  unit.next_of_hash = free_;
  free_ = &unit;
  --in_use_;
}

void UnitTable::touch_next() {
  if (touched_ % chunk_units == 0) {
    chunks_.push_back(std::make_unique<Chunk>());
    if (data_bytes_ != 0) {
      // The memory is not set to zero, because sectors that are not valid are never read. The operating system then
      // provides pages only for memory that is used.
      chunks_.back()->data = std::make_unique_for_overwrite<std::byte[]>(std::size_t{chunk_units} * data_bytes_);
    }
  }
  if (touched_ == chains_.size()) grow_chains();
  CachedUnit& unit = at(touched_);
  unit.index = touched_;
  if (data_bytes_ != 0) {
    unit.data = chunks_.back()->data.get() + std::size_t{touched_ % chunk_units} * data_bytes_;
  }
  unit.next_of_hash = nullptr;
  free_ = &unit;
  ++touched_;
}

void UnitTable::grow_chains() {
  chains_.assign(chains_.size() * 2, nullptr);
  for (std::uint32_t index = 0; index < touched_; ++index) {
    CachedUnit& unit = at(index);
    if (!unit.lpn.valid()) continue;
    CachedUnit*& head = chains_[chain(unit.lpn)];
    unit.next_of_hash = std::exchange(head, &unit);
  }
}

}  // namespace nandscape::controller
