// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/unit_writes.h"

#include <ostream>
#include <unordered_set>
#include <utility>

namespace nandscape::controller {

UnitWrites::UnitWrites(const FlashLayout& layout, UnitMap& map, BlockTable& blocks, BlockPins& pins, BlockAges& ages,
                       MappingCache& mapping_cache, TrimmedRanges& trimmed, const PowerState& power)
    : layout_(layout),
      map_(map),
      blocks_(blocks),
      pins_(pins),
      ages_(ages),
      mapping_cache_(mapping_cache),
      trimmed_(trimmed),
      power_(power) {}

void UnitWrites::hold_back(UnitWrite& unit, Ppa older) {
  unit.held_back = layout_.block_of(older);
  pins_.pin(unit.held_back);
}

void UnitWrites::map(UnitWrite& unit, Ppa old, Tick now) {
  // If the wordline of a copy made within the flash is lost, the copy must be made again, so its source must be kept.
  if (old.valid() && (!power_.programmed_is_durable() || unit.copied)) hold_back(unit, old);
  map_.map(unit.lpn, old, unit.place);
  if (const Superblock block = layout_.block_of(unit.place); blocks_.valid_pages(block) == 1) ages_.written(block, now);
}

void UnitWrites::programmed(UnitWrite& unit, Tick now) {
  if (unit.abandoned) return;
  if (unit.rewritten) return programmed_again(unit, now);
  const bool moved = unit.source.valid();
  const bool current = !moved || blocks_.still_holds(unit.source);
  if (current) {
    map(unit, moved ? unit.source : map_.find(unit.lpn), now);
    if (moved) unit.moved_from = unit.source;
    if (unit.copied) blocks_.copied(layout_.block_of(unit.source), layout_.block_of(unit.place));
    mapping_changed(unit.lpn, now);
    if (!moved) {
      map_.set_not_lost(unit.lpn);
    } else if (unit.lost) {
      map_.set_lost(unit.lpn);
    }
  } else if (unit.copied) {
    hold_back(unit, unit.source);
  }
  unit.programmed(current, now);
  if (unit.access != nullptr) answer(unit, now);
}

// Answers the write to the host. A write with force unit access is not completed before the unit is durable.
void UnitWrites::answer(UnitWrite& unit, Tick now) {
  const bool waits = unit.access->force_unit_access && !power_.programmed_is_durable();
  if (waits) {
    forced_ = true;
    if (unit.access->times != nullptr) unit.access->times->enter(LatencyPart::array, now);
  }
  end(unit, !waits, now);
}

void UnitWrites::programmed_again(UnitWrite& unit, Tick now) {
  end_rewrite(unit);
  forced_ |= unit.access != nullptr;  // the host has been waiting for durability since the first program
  if (map_.find(unit.lpn) == unit.source) {
    map_.map(unit.lpn, unit.source, unit.place);
    if (unit.lost) map_.set_lost(unit.lpn);
    mapping_changed(unit.lpn, now);
  }
  written_again(unit, now);
}

void UnitWrites::written_again(UnitWrite& unit, Tick now) {
  listener_->written_again(unit.lpn, now);
  if (in_flight_.erase(unit)) listener_->resume(unit, nullptr, now);
}

void UnitWrites::durable(UnitWrite& unit, Tick now) {
  // Once this version of the unit is durable, an earlier trim of the unit can no longer take effect.
  if (!trimmed_.empty() && map_.find(unit.lpn) == unit.place) trimmed_.remove(unit.lpn);
  if (unit.access != nullptr) listener_->complete(*std::exchange(unit.access, nullptr), now);
  if (unit.held_back.valid()) pins_.unpin(unit.held_back, now);
  unit.release();
}

// Called when the wordline of the unit has been lost. The write may already have been completed to the host, so reads
// and writes of the unit wait until it is on flash again.
void UnitWrites::must_be_rewritten(UnitWrite& unit) {
  unit.rewritten = true;
  unit.source = unit.place;
  ++rewritten_;
  if (map_.find(unit.lpn) == unit.place && in_flight_.find(unit.lpn) == nullptr) in_flight_.insert(unit);
}

void UnitWrites::refused(UnitWrite& unit, Tick now) {
  const bool rewritten = end_rewrite(unit);
  if (!unit.abandoned && rewritten && unit.access == nullptr) {
    lose(unit, now);
  } else if (!unit.abandoned) {
    unit.refused(now);
  }
  if (unit.held_back.valid()) pins_.unpin(unit.held_back, now);
  unit.release();
}

// Called if the unit cannot be written again. The write was completed to the host, but its location has failed since.
void UnitWrites::lose(UnitWrite& unit, Tick now) {
  if (map_.find(unit.lpn) == unit.source) {
    if (unit.held_back.valid() && unit.moved_from.valid()) {
      // The old copy of the moved unit still exists.
      map_.map_back(unit.lpn, unit.source, unit.moved_from);
      mapping_changed(unit.lpn, now);
    } else {
      if (!layout_.has_parity()) map_.set_lost(unit.lpn);  // with parity, the data may still be rebuilt from the row
      if (power_.saving) add_lost(unit, lost_);
    }
  }
  written_again(unit, now);
}

bool UnitWrites::end_rewrite(UnitWrite& unit) {
  if (!unit.rewritten) return false;
  unit.rewritten = false;
  --rewritten_;
  return true;
}

void UnitWrites::list_waiting(std::ostream& out) const {
  std::size_t writes = 0;
  in_flight_.for_each([&](const UnitWrite&) { ++writes; });
  if (writes != 0) out << writes << " units are being written, " << rewritten_ << " of them again\n";
}

LostWrites UnitWrites::lost_without_power(const UndurablePages& latched) const {
  LostWrites lost = lost_;
  std::unordered_set<std::uint64_t> places;
  latched.for_each_unit([&](const UnitWrite& unit) { places.insert(unit.place.value); });
  latched.for_each_unit([&](const UnitWrite& unit) {
    if (unit.access != nullptr) return;
    // Data that have been overwritten or trimmed meanwhile are not lost.
    if (!places.contains(map_.find(unit.lpn).value)) return;
    // The old copy of a moved unit still exists if its old block has not been erased. That is certain while the erase
    // of that block is held back, and while the block is a victim of garbage collection.
    const bool kept = unit.held_back.valid() || !unit.moved_from.valid() ||
                      blocks_.state(layout_.block_of(unit.moved_from)) == BlockTable::State::victim;
    if (unit.sector_count != 0 || !kept) add_lost(unit, lost);
  });
  return lost;
}

void UnitWrites::add_lost(const UnitWrite& unit, LostWrites& lost) const {
  if (map_.is_translation_page(unit.lpn)) return;
  const bool moved = unit.sector_count == 0;
  lost.add(unit.lpn, unit.first_sector, moved ? layout_.unit_bytes() / sector_bytes : unit.sector_count);
}

void UnitWrites::end(UnitWrite& unit, bool completes, Tick now) {
  in_flight_.erase(unit);
  PageAccess* const access = completes ? std::exchange(unit.access, nullptr) : nullptr;
  listener_->resume(unit, access, now);
}

void UnitWrites::abandon(UnitWrite& unit) {
  unit.abandoned = true;
  end_rewrite(unit);
}

}  // namespace nandscape::controller
