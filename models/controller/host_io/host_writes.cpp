// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/host_writes.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace nandscape::controller {

HostWrites::HostWrites(FlashIo& io, UnitMap& map, UnitWrites& units, PageReader& reader, PageAssembly& assembly,
                       const UndurablePages& undurable, StreamPolicy& streams, SlcCache* cache, PlaneChooser& planes,
                       EndOfLife& end_of_life, const PowerState& power, const HostPort& host)
    : io_(io),
      map_(map),
      units_(units),
      reader_(reader),
      assembly_(assembly),
      undurable_(undurable),
      streams_(streams),
      cache_(cache),
      planes_(planes),
      end_of_life_(end_of_life),
      power_(power),
      host_(host),
      merge_reads_(io, *this) {}

void HostWrites::write(PageAccess& access, Tick now) {
  if (UnitWrite* earlier = units_.in_flight().find(access.lpn)) {
    earlier->waiting.push(access);
    return;
  }
  // Nothing needs to be written if the write only deallocates, the unit already reads as zeroes, and the host does not
  // wait for durability.
  if (access.deallocates && !access.force_unit_access && !map_.find(access.lpn).valid()) {
    host_.complete(access, now);
    return;
  }
  HostUnit& unit = unit_pool_.acquire(*this);
  unit.lpn = access.lpn;
  unit.version = map_.next_version();
  unit.access = &access;
  unit.first_sector = access.first_sector;
  unit.sector_count = access.sector_count;
  units_.in_flight().insert(unit);

  if (std::uint32_t{access.sector_count} * sector_bytes == io_.layout().unit_bytes()) {
    put(unit, now);
  } else {
    read_old_unit(unit, now);
  }
}

// Reads the previous content of a unit because the host writes only a part of the unit.
void HostWrites::read_old_unit(HostUnit& unit, Tick now) {
  const Ppa old = map_.find(unit.lpn);
  if (!old.valid()) {
    put(unit, now);
    return;
  }
  ++merge_reads_count_;
  MergeRead& read = merge_reads_.acquire();
  read.serve(*unit.access);
  read.lpn = unit.lpn;
  read.unit = &unit;
  read.lost = map_.lost(unit.lpn);
  io_.begin_times(read, *unit.access, now);
  io_.ask_for_key(read);
  const std::uint32_t first = io_.layout().unit_in_page(old) * io_.layout().unit_bytes();
  reader_.start(read, old, first, first + io_.layout().unit_bytes(), now);
}

void HostWrites::old_unit_read(MergeRead& read, Tick now) {
  HostUnit& unit = *read.unit;
  if (read.times != nullptr) [[unlikely]] {
    if (unit.access != nullptr) io_.give_times(read, *unit.access, now);
    io_.end_times(read);
  }
  const bool torn = read.ecc.uncorrectable && !read.lost;
  if (torn && map_.find(unit.lpn) != read.ppa) {
    read_old_unit(unit, now);  // the unit was moved after its program failed
  } else if (torn && being_rewritten(unit.lpn, read.ppa)) {
    waiting_merges_.push_back(&unit);
  } else if (read.ecc.uncorrectable) {
    // The write fails, because the sectors that the host does not write would contain garbage.
    unit.access->status = AccessStatus::unrecovered_read_error;
    units_.end(unit, true, now);
    unit.release();
  } else {
    const std::size_t first = std::size_t{io_.layout().unit_in_page(read.ppa)} * io_.layout().unit_bytes();
    unit.merged = true;
    unit.old_unit = io_.path().keeps_data() ? read.command.data + first : nullptr;
    put(unit, now);
  }
  merge_reads_.release(read);
}

// Returns whether the unit at `place` is being written again because its program failed after the unit had been mapped
// there.
bool HostWrites::being_rewritten(Lpn lpn, Ppa place) const {
  bool found = false;
  undurable_.for_each_unit(
      [&](const UnitWrite& unit) { found |= unit.rewritten && unit.lpn == lpn && unit.source == place; });
  return found;
}

void HostWrites::go_on_merging(Lpn rewritten, Tick now) {
  if (waiting_merges_.empty()) return;
  const auto first = std::stable_partition(waiting_merges_.begin(), waiting_merges_.end(),
                                           [&](const HostUnit* unit) { return unit->lpn != rewritten; });
  const std::vector<HostUnit*> merges(first, waiting_merges_.end());
  waiting_merges_.erase(first, waiting_merges_.end());
  for (HostUnit* unit : merges) read_old_unit(*unit, now);
}

void HostWrites::give_up_merges() {
  for (HostUnit* unit : std::exchange(waiting_merges_, {})) unit->release();
}

void HostWrites::put(HostUnit& unit, Tick now) {
  if (gatherer_ != nullptr && !unit.merged && !unit.access->force_unit_access && !power_.saving) {
    gatherer_->take(unit, now);
  } else {
    put_in_page(unit, now);
  }
}

void HostWrites::put_in_page(UnitWrite& unit, Tick now) {
  const bool cached = cache_ != nullptr && !power_.saving && cache_->takes_unit(now);
  const std::uint8_t stream = cached ? cache_->stream() : streams_.stream_of_write(unit.lpn, now);
  const FtlPlane plane =
      power_.saving ? planes_.plane_in_turn(stream) : planes_.plane_for(stream, unit.lpn, unit.access->gathered);
  if (plane.valid()) {
    assembly_.put(unit, PageOrigin::host, stream, plane);
  } else {
    units_.refused(unit, now);
  }
}

// Copies the new content of the unit to `bytes`: the host's sectors, merged with the unit's previous content or, if
// there is none, with zeroes.
void HostWrites::HostUnit::copy_data(std::byte* bytes) const {
  const std::size_t written = std::size_t{access->sector_count} * sector_bytes;
  const std::size_t unit_bytes = owner.io_.layout().unit_bytes();
  if (old_unit != nullptr) {
    std::memcpy(bytes, old_unit, unit_bytes);
  } else if (written != unit_bytes) {
    std::memset(bytes, 0, unit_bytes);
  }
  if (access->data != nullptr) {
    std::memcpy(bytes + std::size_t{access->first_sector} * sector_bytes, access->data, written);
  }
}

void HostWrites::unit_refused(HostUnit& unit, Tick now) {
  unit.access->status = AccessStatus::write_protected;
  if (!end_of_life_.read_only()) end_of_life_.take_no_more("no plane has room for a host write", now);
  units_.end(unit, true, now);
}

}  // namespace nandscape::controller
