// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/journal_client.h"

#include <algorithm>

namespace nandscape::controller {

Superblock JournalClient::take_journal_block(bool replaces, Tick now) {
  const FtlGeometry& geometry = blocks_.geometry();
  FtlPlane best(0);
  for (const FtlPlane plane : geometry.every_plane()) {
    if (blocks_.free_blocks(plane) > blocks_.free_blocks(best)) best = plane;
  }
  // The reserve is for collection, which would not make room without it, as long as there is any. A journal that a
  // capacitor lets be written is out of date at the next power-on, and its blocks are free at once.
  const bool comes_back = power_.saving && power_.has_capacitor;
  const bool may_take = replaces || comes_back || collector_.stopped() || collector_.host_may_take_block(best);
  const Superblock block = may_take ? blocks_.take_free(best) : Superblock();
  if (!block.valid()) {
    if (power_.saving) {
      for (const FtlPlane plane : geometry.every_plane()) collector_.go_on_for_a_block(plane, now);
    }
    return block;
  }
  blocks_.set_state(block, BlockTable::State::journal);
  collector_.check(best, now);
  return block;
}

// Of what is being written, or could still be lost, an older version may come to count again, which was written after
// the trim or before it.
void JournalClient::collect_trims(std::vector<TrimRecord>& records) {
  std::vector<Lpn> on_their_way;
  const auto note = [&](const UnitWrite& unit) { on_their_way.push_back(unit.lpn); };
  units_.in_flight().for_each(note);
  undurable_.for_each_unit(note);
  std::ranges::sort(on_their_way);
  trimmed_.renew(map_.version(), on_their_way);
  records = trimmed_.records();
}

// What is waiting for the journal is what it waits for. If no block will ever come free, trims are not made durable.
void JournalClient::journal_waits(Tick now) {
  if (collector_.stopped()) {
    flushes_.trims_not_durable();
    flushes_.page_durable(now);
  }
  erases_.send_waiting(now);
}

void JournalClient::trims_durable(Tick now) {
  flushes_.trims_durable();
  erases_.send_waiting(now);
  flushes_.page_durable(now);
}

}  // namespace nandscape::controller
