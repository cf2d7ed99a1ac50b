// SPDX-License-Identifier: Apache-2.0
#include "controller/firmware/firmware_stage.h"

#include <algorithm>
#include <cmath>

#include "protocol/access_range.h"

namespace nandscape::controller {

namespace {

FirmwareWork work_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::read: return FirmwareWork::read;
    case AccessKind::write: return FirmwareWork::write;
    case AccessKind::trim: return FirmwareWork::trim;
    case AccessKind::flush: break;
  }
  return FirmwareWork::flush;
}

Tick time_of(const FirmwareParameters& p, std::uint32_t cycles) {
  return static_cast<Tick>(std::llround(cycles * 1e6 / p.clock_mhz));
}

}  // namespace

void describe(FirmwareParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.takes_cycles(), {"cores", "clock_mhz"}, "nothing takes cycles");
  v.integer("cores", p.cores, {1, 1024}, "", "processor cores that run the firmware");
  v.real("clock_mhz", p.clock_mhz, {1, 100'000}, "mhz", "clock of the cores");
  v.integer("command_cycles", p.command_cycles, {0, 1'000'000'000}, "cycles",
            "core cycles for each host command, whatever its size, spent before its first mapping unit is looked up");
  v.real("command_latency_us", p.command_latency_us, {0, 1'000'000}, "us",
         "latency of each host command in hardware, whatever its size; it occupies no core");
  v.real("read_latency_us", p.read_latency_us, {0, 1'000'000}, "us",
         "latency of each read command in hardware, in addition to command_latency_us");
  v.integer("read_cycles", p.read_cycles, {0, 1'000'000'000}, "cycles",
            "core cycles for each mapping unit that a command reads");
  v.integer("write_cycles", p.write_cycles, {0, 1'000'000'000}, "cycles",
            "core cycles for each mapping unit that a command writes");
  v.integer("trim_cycles", p.trim_cycles, {0, 1'000'000'000}, "cycles", "core cycles for each trimmed range");
  v.integer("flush_cycles", p.flush_cycles, {0, 1'000'000'000}, "cycles", "core cycles for each flush");
  v.integer("completion_cycles", p.completion_cycles, {0, 1'000'000'000}, "cycles",
            "core cycles when a mapping unit has been read or written, a range trimmed or a flush done: paid for each "
            "unit of a command");
  v.integer("move_cycles", p.move_cycles, {0, 1'000'000'000}, "cycles",
            "core cycles for each flash page that is moved, before it is read");
  v.integer("erase_cycles", p.erase_cycles, {0, 1'000'000'000}, "cycles", "core cycles for each block that is erased");
}

void describe(const FirmwareCounters& c, StatisticsVisitor& v) {
  v.count("jobs", c.jobs, "accesses, completions, moves and erases that took cycles");
  v.count("waits", c.waits, "jobs that had to wait for a core");
  v.ratio("wait_us", us_from_ticks(c.waited), static_cast<double>(c.jobs), "us", "average wait for a core");
  v.amount("busy_us", us_from_ticks(c.busy), "us", "busy time, summed over all cores");
}

FirmwareStage::FirmwareStage(const FirmwareParameters& p, StorageDevice& backend, Calendar& calendar)
    : backend_(backend),
      calendar_(calendar),
      time_{time_of(p, p.read_cycles),  time_of(p, p.write_cycles),      time_of(p, p.trim_cycles),
            time_of(p, p.flush_cycles), time_of(p, p.completion_cycles), time_of(p, p.move_cycles),
            time_of(p, p.erase_cycles), time_of(p, p.command_cycles)},
      command_latency_(ticks_from_us(p.command_latency_us)),
      read_latency_(ticks_from_us(p.read_latency_us)),
      by_command_(p.command_cycles != 0 || p.has_latency()),
      free_(p.cores) {
  backend.set_client(*this);
}

Tick FirmwareStage::charge(FirmwareWork work, Tick now) { return occupy_core(time(work), now); }

Tick FirmwareStage::occupy_core(Tick time, Tick now) {
  if (time == 0) return now;
  const Tick begin = std::max(free_.first(), now);
  free_.replace_first(begin + time);
  ++counters_.jobs;
  counters_.waits += begin > now;
  counters_.waited += begin - now;
  counters_.busy += time;
  return begin + time;
}

Tick FirmwareStage::prepared(const PageAccess& access, Tick now) {
  const Tick of_command = access.place == CommandPlace::first ? time(FirmwareWork::command) : 0;
  Tick at = occupy_core(of_command + time(work_of(access.kind)), now);
  if (access.place != CommandPlace::after) {
    at += command_latency_ + (access.kind == AccessKind::read ? read_latency_ : 0);
  }
  Tick& latest = prepared_[static_cast<std::size_t>(access.kind)];
  latest = std::max(latest, at);
  return latest;
}

// Returns the time at which the access is passed on to the backend. This is `at`, the time at which it is prepared,
// unless an earlier trim of the same pages is passed on later than that. A trim is also not passed on before any
// earlier write.
Tick FirmwareStage::in_order(const PageAccess& access, Tick at, Tick now) {
  if (trims_.empty() && !is_trim(access)) {
    last_write_ = std::max(last_write_, at);
    return at;
  }
  std::erase_if(trims_, [now](const Trim& trim) { return trim.goes_on < now; });
  for (const Trim& trim : trims_) {
    if (access.lpn.value - trim.first.value < trim.pages || trim.first.value - access.lpn.value < pages_of(access)) {
      at = std::max(at, trim.goes_on);
    }
  }
  if (is_trim(access)) {
    at = std::max(at, last_write_);
    trims_.push_back({access.lpn, access.page_count, at});
  } else {
    last_write_ = std::max(last_write_, at);
  }
  return at;
}

void FirmwareStage::submit(PageAccess& access, Tick now) {
  Tick at = prepared(access, now);
  const bool changes = is_write(access) || is_trim(access);
  if (changes) at = in_order(access, at, now);
  // Two accesses that are passed on at the same time must stay in order. An earlier trim may still be waiting for its
  // event at the current time, and so may an earlier write if writes need different times. Therefore a write or trim is
  // then passed on by an event, too.
  const bool at_once = at == now && (!changes || (trims_.empty() && !by_command_));
  if (at_once) return backend_.submit(access, now);
  calendar_.schedule<&FirmwareStage::pass_on>(at, *this, access);
}

void FirmwareStage::pass_on(PageAccess& access) { backend_.submit(access, calendar_.now()); }

void FirmwareStage::completed(PageAccess& access, Tick now) {
  const Tick at = charge(FirmwareWork::completion, now);
  if (at == now) return client_->completed(access, now);
  calendar_.schedule<&FirmwareStage::answer>(at, *this, access);
}

void FirmwareStage::answer(PageAccess& access) { client_->completed(access, calendar_.now()); }

}  // namespace nandscape::controller
