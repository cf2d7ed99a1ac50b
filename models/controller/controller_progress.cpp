// SPDX-License-Identifier: Apache-2.0
// The net below all that is written: when nothing goes on any more, the drive ends as a real one would. It says what
// every queue holds, becomes read-only, and fails what it cannot complete; what it holds can be read.
#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "controller/controller.h"

namespace nandscape {

std::string Controller::waiting() const {
  std::ostringstream out;
  std::size_t writes = 0;
  writes_.for_each([&](const UnitWrite&) { ++writes; });
  if (read_only_) out << "the drive is read-only" << (no_place_left_ ? ", without any place left" : "") << "\n";
  if (writes != 0) out << writes << " units are being written, " << rewritten_units_ << " of them once more\n";
  for (const Flush& flush : flushes_) {
    out << "a flush waits for page " << flush.programmed << ", the oldest that is not durable is "
        << writer_.oldest_undurable() << (flush.trims ? ", and for the journal of trims" : "") << "\n";
  }
  if (!erases_waiting_.empty()) out << erases_waiting_.size() << " erases wait for the journal of trims\n";
  scheduler_.list_waiting(out);
  writer_.list_waiting(out);
  collector_.list_waiting(out);
  journal_.list_waiting(out);
  std::string text = out.str();
  std::ranges::replace(text, '\n', ';');
  return text;
}

// As long as nobody waits for the plane, it may be left as it is; then others take what is for it, as far as they can.
void Controller::nothing_gained(PlaneId plane, std::uint64_t victims, Tick now) {
  if (read_only_ || !writer_.blocked(plane)) return;
  in_order_ = false;
  if (const PlaneId other = with_room(plane, false); other.valid() && other != plane) {
    calendar_.schedule<&Controller::look_elsewhere>(now, *this, plane.value);
    return;
  }
  take_no_more("collection of plane " + std::to_string(plane.value) + " has emptied " + std::to_string(victims) +
                   " blocks without a gain",
               now);
}

void Controller::take_no_more(const std::string& why, Tick now) {
  read_only_ = true;
  ++counters_.stalls;
  stall_report_ = why + "; " + waiting();
  calendar_.schedule<&Controller::stop_stalled>(now, *this, 0);
}

void Controller::look_elsewhere(std::uint64_t plane) {
  places_changed(PlaneId(static_cast<std::uint32_t>(plane)), calendar_.now());
}

bool Controller::end_stall(Tick now) {
  bool open = !writes_.empty() || !flushes_.empty();
  writer_.for_each_undurable([&](const UnitWrite& unit) { open |= unit.access != nullptr; });
  if (no_place_left_ && !open) return false;
  ++counters_.stalls;
  stall_report_ = "nothing goes on while commands are open; " + waiting();
  calendar_.schedule<&Controller::stop_stalled>(now, *this, 1);
  return true;
}

// In an event of its own: the scheduler, or collection, may have been in the middle of a choice.
void Controller::stop_stalled(std::uint64_t stalled) {
  const Tick now = calendar_.now();
  if (stalled == 0) {
    stop_writing(now);
  } else if (!no_place_left_) {
    no_place_left(now);
    if (!survives_power_cut()) writer_.complete_wordlines();
  } else {
    give_up_accesses(now);
  }
}

// What is still under way for them is of no account any more.
void Controller::give_up_accesses(Tick now) {
  std::vector<UnitWrite*> units;
  writes_.for_each([&](UnitWrite& unit) { units.push_back(&unit); });
  std::vector<PageAccess*> failed;
  writer_.for_each_undurable([&](UnitWrite& unit) {
    if (unit.access != nullptr) failed.push_back(std::exchange(unit.access, nullptr));
  });
  for (const Flush& flush : std::exchange(flushes_, {})) failed.push_back(flush.access);
  for (PageAccess* access : failed) {
    access->status = AccessStatus::write_fault;
    complete(*access, now);
  }
  for (UnitWrite* unit : units) {
    unit->abandoned = true;
    if (std::exchange(unit->rewritten, false)) --rewritten_units_;
    if (unit->access != nullptr) unit->access->status = AccessStatus::write_fault;
    end_write(*unit, unit->access != nullptr, now);
  }
  for (UnitWrite* unit : std::exchange(waiting_merges_, {})) units_.release(*unit);
}

}  // namespace nandscape
