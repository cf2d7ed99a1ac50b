// SPDX-License-Identifier: Apache-2.0
// A test fixture that adds the engines that serve the host to FakeDrive.
#pragma once

#include <deque>

#include "controller/power_cycle.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {

struct HostSide final : FakeDrive {
  explicit HostSide(const ControllerParameters& p = small_controller(), StartUp start_up = StartUp::as_preconditioned)
      : FakeDrive(one_plane, p, start_up) {
    writing.units.set_listener(accesses);
    parts.trims.set_listener(accesses);
    mapping.cache.set_client(parts.translation);
    parts.translation.set_listener(accesses);
    on_durable = [this](Tick now) { flushes.page_durable(now); };
  }

  PageAccess& submit(AccessKind kind, std::uint64_t lpn, std::uint64_t count = 1) {
    PageAccess& access = submitted.emplace_back(make_access(kind, lpn));
    access.page_count = count;
    accesses.submit(access, calendar.now());
    return access;
  }
  bool done(const PageAccess& access) const { return host.time_of(access).has_value(); }

  Components components;
  MappingCheckpoints checkpoints{plan.keeps_checkpoints(),
                                 4,
                                 mapping.layout,
                                 facts.page_times,
                                 mapping.map,
                                 mapping.table,
                                 mapping.blocks,
                                 mapping.cache,
                                 mapping.trimmed,
                                 journal};
  PowerOnRecovery recovery{reading.io,     reading.scheduler, mapping.map, mapping.blocks, mapping.trimmed, journal,
                           writing.writer, checkpoints,       power,       calendar,       power_cycle};
  MediaCare care{parameters.refresh,
                 facts.refresh,
                 parameters.scrub,
                 parameters.wear_levelling,
                 *chosen.write_mode,
                 {clock, reading.io, mapping.blocks, mapping.ages, mapping.lives, mapping.reads, reading.reader,
                  writing.writer, collector, calendar}};
  EndOfLife end_of_life{
      {mapping.layout, mapping.room, collector, writing.writer, journal, power, port, accesses, components, calendar}};
  HostFlushes flushes{writing.writer.ledger(), journal, power, port};
  HostParts parts{plan,      chosen,      mapping,     reading, writing, journal,
                  collector, cache.get(), end_of_life, power,   port,    accesses};
  HostAccesses accesses{{parts.reads, parts.writes, parts.trims, flushes, parts.translation, writing.units,
                         writing.writer.ledger().undurable(), end_of_life, care, *mapping.age_facts.temperature,
                         recovery, port}};
  PowerCycle power_cycle{{power, reading.scheduler, mapping.blocks, mapping.trimmed, collector, writing.writer, journal,
                          care, recovery, end_of_life, parts.writes, accesses, cache.get()}};
  std::deque<PageAccess> submitted;
};

}  // namespace nandscape::controller
