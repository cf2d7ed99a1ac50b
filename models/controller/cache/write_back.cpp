// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/write_back.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nandscape::controller {

void LostSectors::lose(Lpn lpn, SectorSet sectors, AccessStatus failure) {
  failure_ = failure;
  if (!sectors.any()) return;
  SectorSet& all = lost_[lpn];
  all = all | sectors;
}

bool LostSectors::find(const PageAccess& read) const {
  const auto found = lost_.find(read.lpn);
  return found != lost_.end() && (found->second & SectorSet::range(read.first_sector, read.sector_count)).any();
}

void LostSectors::forget(Lpn lpn, SectorSet sectors) {
  const auto found = lost_.find(lpn);
  if (found == lost_.end()) return;
  found->second = found->second - sectors;
  if (!found->second.any()) lost_.erase(found);
}

void LostSectors::trimmed(Lpn first, std::uint64_t pages) {
  std::erase_if(lost_, [&](const auto& item) { return item.first.value - first.value < pages; });
}

void LostSectors::persist(Archive& archive, std::uint64_t pages, SectorSet whole_unit) {
  archive.section("lost sectors");
  archive.map(lost_, pages, "a lost logical page", [&](SectorSet& sectors) {
    archive(sectors);
    archive.require(sectors.any() && whole_unit.contains(sectors), "lost sectors are not sectors of a page");
  });
  archive.enumeration(failure_, AccessStatus::write_protected, "the status of a write-back");
  archive.require(lost_.empty() || failure_ != AccessStatus::ok, "pages were lost, but no write-back has failed");
}

namespace {

std::uint32_t units_of(double percent, std::uint32_t capacity) {
  return static_cast<std::uint32_t>(std::floor(percent / 100 * capacity));
}

}  // namespace

WriteBack::WriteBack(const CacheParameters& parameters, bool lasts, CacheMemory& memory, OperationPool& operations,
                     UnitFetches& fetches, LostSectors& lost, PendingFlushes& flushes, const WaitingWrites& waiting,
                     HostAnswers& answers, StorageDevice& backend, Calendar& calendar)
    : memory_(memory),
      operations_(operations),
      fetches_(fetches),
      lost_(lost),
      flushes_(flushes),
      waiting_(waiting),
      answers_(answers),
      backend_(backend),
      calendar_(calendar),
      lasts_(lasts),
      batch_units_(backend.pages_written_together()),
      most_in_flight_(std::max(parameters.writes_in_flight, batch_units_)),
      dirty_high_(units_of(parameters.dirty_high_percent, memory.capacity())),
      dirty_low_(units_of(parameters.dirty_low_percent, memory.capacity())) {}

// --- which units, and when

void WriteBack::add(CachedUnit& unit) {
  unit.order = ++last_order_;
  ++dirty_count_;
  if (!unit.cleaning) enqueue(unit);
}

void WriteBack::enqueue(CachedUnit& unit) {
  memory_.hold(unit);
  // A forced unit is put first in the queue, unless writes wait for room. While flushes are pending, only the units
  // that a flush waits for are put first. Otherwise units that the host writes again and again could delay the flush
  // for ever.
  bool first = unit.forced && waiting_.empty();
  if (!flushes_.empty()) first = flushes_.wait_for(unit.order);
  if (first) {
    dirty_.push_front(unit);
  } else {
    dirty_.push_back(unit);
  }
  forced_ += unit.forced;
}

void WriteBack::leave_queue(CachedUnit& unit) {
  if (unit.listed != CachedUnit::Listed::dirty) return;
  forced_ -= unit.forced;
  dirty_.remove(unit);
}

void WriteBack::force(CachedUnit& unit) {
  const bool queued = unit.listed == CachedUnit::Listed::dirty;
  leave_queue(unit);
  unit.forced = true;
  if (queued) enqueue(unit);
}

void WriteBack::take_back(CachedUnit& unit) {
  if (unit.dirty.any()) enqueue(unit);
}

void WriteBack::drop(CachedUnit& unit) {
  if (!unit.dirty.any()) return;
  --dirty_count_;
  flushes_.count_clean(unit.order, AccessStatus::ok);
}

bool WriteBack::wanted() {
  if (dirty_.size() > dirty_high_) {
    draining_ = true;
  } else if (dirty_.size() <= dirty_low_) {
    draining_ = false;
  }
  return draining_ || waited_for();
}

void WriteBack::start(Tick now) {
  while (cleaning_ + std::min(batch_units_, dirty_.size()) <= most_in_flight_ && !dirty_.empty() && wanted()) {
    start_batch(now);
  }
  // The loop above starts write-backs while there is room for them. If a unit is still queued although an access waits
  // for it, the limit of write-backs under way has been reached.
  window_.set(!dirty_.empty() && waited_for(), now);
}

// Sends a batch of up to `batch_units_` units. Logical pages are divided into groups of `batch_units_` consecutive
// pages. The batch takes the units that have been queued longest, and with each unit the other dirty units of its
// group, because the host will probably read them together.
void WriteBack::start_batch(Tick now) {
  WriteBackBatch& batch = batches_.acquire();
  joining_.clear();
  while (joining_.size() < batch_units_ && !dirty_.empty()) {
    CachedUnit& oldest = dirty_.front();
    join(batch, oldest);
    const std::uint64_t first = oldest.lpn.value - oldest.lpn.value % batch_units_;
    for (std::uint64_t lpn = first; lpn < first + batch_units_ && joining_.size() < batch_units_; ++lpn) {
      if (lpn == oldest.lpn.value) continue;
      CachedUnit* const neighbour = memory_.find(Lpn(lpn));
      if (neighbour != nullptr && neighbour->listed == CachedUnit::Listed::dirty) join(batch, *neighbour);
    }
  }
  // All units of the batch are counted before the first of them continues. The batch cannot be complete during this
  // loop, since a fetch and a read from DRAM end in later events.
  batch.preparing = static_cast<std::uint32_t>(joining_.size());
  for (CachedUnit* unit : joining_) go_on(*unit, now);
}

void WriteBack::join(WriteBackBatch& batch, CachedUnit& unit) {
  leave_queue(unit);
  unit.cleaning = true;
  unit.batch = &batch;
  ++cleaning_;
  joining_.push_back(&unit);
}

// --- one write-back, from its start to its end

void WriteBack::go_on(CachedUnit& unit, Tick now) {
  if (unit.fetching || unit.writing.any()) return;  // this function is called again when the fetch or write has ended
  // If a page holds several units, always write whole units. For a partial unit, the backend would first have to read
  // the rest of the unit, and meanwhile the other units of the batch would fill a page without it.
  const SectorSet whole_unit = memory_.whole_unit();
  const SectorSet sectors = unit.valid == whole_unit || batch_units_ > 1 ? whole_unit : unit.dirty.span();
  if (!unit.valid.contains(sectors)) return fetches_.fetch(unit, whole_unit, nullptr, now);

  CacheOperation& write = operations_.acquire(CacheOperation::Purpose::write_back, AccessKind::write, unit.lpn);
  write.first_sector = static_cast<std::uint16_t>(sectors.first());
  write.sector_count = static_cast<std::uint16_t>(sectors.count());
  write.force_unit_access = !unit.forced_writes.empty();
  unit.forced_writes.for_each(
      [&](const PageAccess& forced) { write.priority = std::min(write.priority, forced.priority); });
  write.waiting = unit.forced_writes.take();
  write.gathered = true;
  write.unit = &unit;
  operations_.give_buffer(write);
  memory_.copy_out(unit, write);
  unit.writing = std::exchange(unit.dirty, SectorSet());
  unit.writing_answered = std::exchange(unit.answered, SectorSet());
  unit.writing_order = unit.order;
  unit.forced = false;
  --dirty_count_;
  ++writing_count_;
  ++counters_.write_backs;
  const Tick read = memory_.transfer(Dram::Direction::read, unit, sectors, now);
  calendar_.schedule<&WriteBack::send>(read, *this, write);
}

void WriteBack::send(CacheOperation& write) {
  prepared(*std::exchange(write.unit->batch, nullptr), &write, calendar_.now());
}

void WriteBack::prepared(WriteBackBatch& batch, CacheOperation* write, Tick now) {
  if (write != nullptr) batch.ready.push(*write);
  if (--batch.preparing != 0) return;
  AccessQueue ready = batch.ready.take();
  batches_.release(batch);
  while (!ready.empty()) backend_.submit(ready.pop(), now);
}

void WriteBack::finish(CacheOperation& write, Tick now) {
  CachedUnit& unit = *write.unit;
  const AccessStatus status = write.status;
  const SectorSet written = std::exchange(unit.writing, SectorSet());
  unit.writing_answered = SectorSet();
  unit.cleaning = false;
  --cleaning_;
  --writing_count_;
  if (status != AccessStatus::ok) lose(unit, written - unit.dirty, status);
  answer(write.waiting.take(), status, now);
  operations_.release(write);
  flushes_.count_clean(unit.writing_order, status);
  if (unit.dirty.any() && (!unit.trimmed || !unit.forced_writes.empty())) enqueue(unit);
}

void WriteBack::fetch_failed(CachedUnit& unit, AccessStatus status, Tick now) {
  unit.cleaning = false;
  --cleaning_;
  --dirty_count_;
  unit.forced = false;
  unit.answered = SectorSet();
  lose(unit, std::exchange(unit.dirty, SectorSet()), status);
  answer(unit.forced_writes.take(), status, now);
  flushes_.count_clean(unit.order, status);
  prepared(*std::exchange(unit.batch, nullptr), nullptr, now);
}

void WriteBack::lose(CachedUnit& unit, SectorSet sectors, AccessStatus failure) {
  ++counters_.failed_write_backs;
  unit.valid = unit.valid - sectors;
  lost_.lose(unit.lpn, sectors, failure);
}

void WriteBack::answer(AccessQueue forced, AccessStatus status, Tick now) {
  while (!forced.empty()) {
    PageAccess& write = forced.pop();
    write.status = status;
    answers_.answer(write, now);
  }
}

}  // namespace nandscape::controller
