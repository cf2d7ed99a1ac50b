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
  // Normally, the journal may not take a free block that collection needs in reserve to make room. A journal that is
  // written on capacitor power may take any block, because the journal is obsolete at the next power-on and its blocks
  // then become free at once.
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

// Returns all trimmed ranges for a snapshot of the journal. The ranges are given the newest version, so that adjacent
// ranges merge. Units that are being written or may still be lost keep the version of their trim: after a power cut,
// older data of such a unit may be found, and only this version shows whether the data were written before or after the
// trim.
void JournalClient::collect_trims(std::vector<TrimRecord>& records) {
  std::vector<Lpn> on_their_way;
  const auto note = [&](const UnitWrite& unit) { on_their_way.push_back(unit.lpn); };
  units_.in_flight().for_each(note);
  undurable_.for_each_unit(note);
  std::ranges::sort(on_their_way);
  trimmed_.renew(map_.version(), on_their_way);
  records = trimmed_.records();
}

// Sends the erases that wait for the journal, because the journal may in turn wait for a block that one of them frees.
// If collection has stopped and no block will ever become free, reports that the trims will not become durable.
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
