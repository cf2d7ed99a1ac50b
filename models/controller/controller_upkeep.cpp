// SPDX-License-Identifier: Apache-2.0
// What the controller does of its own accord so that data last: it empties blocks whose data have become old or were
// read too often, and looks for errors. It does so when an access finds that the time has come; a device that nobody
// uses has no events.
#include <algorithm>

#include "controller/controller.h"

namespace nandscape {

void Controller::upkeep(Tick now) {
  if (now >= refresh_due_) refresh_old_blocks(now);
  scrub_.skip_missed_rounds(now);
  while (now >= scrub_.due()) scrub_page(now);
  upkeep_due_ = std::min(refresh_due_, scrub_.due());
}

void Controller::advance(double hours, Tick now) {
  shelf_hours_ += hours;
  if (refresh_due_ != never) refresh_old_blocks(now);
}

BlockAge Controller::age_of(BlockId block, Tick now) const {
  BlockAge age = path_.first_age;
  age.pe_cycles += blocks_.erase_count(block);
  if (blocks_.filled(block)) {
    if (initial_.updated(block)) age.age_hours = 0;
    age.age_hours += 24 * initial_.age_days(block) * path_.running_hours + hours(now);
  } else {
    age.age_hours = hours(now) - static_cast<double>(written_hours_[block.value]);
  }
  age.reads_since_program = read_disturb_.reads(block);
  return age;
}

void Controller::refresh_old_blocks(Tick now) {
  refresh_due_ = now + ticks_from_s(parameters_.refresh.check_hours * 3600);
  for (std::uint32_t k = 0; k < layout_.mapping().blocks(); ++k) {
    const BlockId block(k);
    if (blocks_.state(block) != BlockTable::State::full || blocks_.valid_pages(block) == 0) continue;
    if (refresh_->due(age_of(block, now))) collector_.empty(block, Reason::refresh, now);
  }
}

// Pages of the flash are looked at in the order of the patrol, those that hold nothing are passed over.
void Controller::scrub_page(Tick now) {
  const Ppn unit = scrub_.next();
  if (layout_.unit_in_page(unit) != 0) return;
  const BlockTable::State state = blocks_.state(layout_.block_of(unit));
  if (state != BlockTable::State::full || !blocks_.held_by(unit).valid()) return;
  ++counters_.scrubbed_pages;
  FlashTransaction& read = io_.acquire(Purpose::scrub_read);
  read.lpn = blocks_.held_by(unit);
  ask_for_tag(read);
  reader_.start(read, unit, 0, layout_.flash().page_bytes, now);
}

void Controller::scrub_page_read(FlashTransaction& read, Tick now) {
  const bool relocate = scrub_.relocate(read.command.worst_codeword_errors, read.ecc.uncorrectable);
  const BlockId block = read.block;
  io_.release(read);
  if (relocate) collector_.empty(block, Reason::errors, now);
}

void Controller::count_read(BlockId block, std::uint32_t reads, Tick now) {
  while (reads-- > 0) static_cast<void>(read_disturb_.read(block));
  // An open block cannot be emptied yet: it is asked for again at its next read.
  if (read_disturb_.due(block)) collector_.empty(block, Reason::read_disturb, now);
}

}  // namespace nandscape
