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
  v.unread_if(!p.used(), {"cores", "clock_mhz"}, "nothing takes cycles");
  v.integer("cores", p.cores, {1, 1024}, "", "processor cores that run the firmware");
  v.real("clock_mhz", p.clock_mhz, {1, 100'000}, "mhz", "clock of the cores");
  v.integer("read_cycles", p.read_cycles, {0, 1'000'000'000}, "cycles", "core cycles for each read of a mapping unit");
  v.integer("write_cycles", p.write_cycles, {0, 1'000'000'000}, "cycles",
            "core cycles for each write of a mapping unit");
  v.integer("trim_cycles", p.trim_cycles, {0, 1'000'000'000}, "cycles", "core cycles for each trimmed range");
  v.integer("flush_cycles", p.flush_cycles, {0, 1'000'000'000}, "cycles", "core cycles for each flush");
  v.integer("completion_cycles", p.completion_cycles, {0, 1'000'000'000}, "cycles",
            "core cycles for each completion of any of these");
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
            time_of(p, p.erase_cycles)},
      free_(p.cores) {
  backend.set_client(*this);
}

Tick FirmwareStage::charge(FirmwareWork work, Tick now) {
  const Tick time = time_[static_cast<std::size_t>(work)];
  if (time == 0) return now;
  Tick& core = *std::min_element(free_.begin(), free_.end());
  const Tick begin = std::max(core, now);
  core = begin + time;
  ++counters_.jobs;
  counters_.waits += begin > now;
  counters_.waited += begin - now;
  counters_.busy += time;
  return core;
}

// Returns the time at which the access is passed on to the backend. This is `at`, the time at which its core has
// finished, unless an earlier trim of the same pages is passed on later than that. A trim is also not passed on before
// any earlier write.
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
  Tick at = charge(work_of(access.kind), now);
  const bool changes = is_write(access) || is_trim(access);
  if (changes) at = in_order(access, at, now);
  // Two accesses that are passed on at the same time must stay in order. An earlier trim may still be waiting for its
  // event at the current time. Therefore, while there are such trims, a write or trim is also passed on by an event.
  if (at == now && (trims_.empty() || !changes)) return backend_.submit(access, now);
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
