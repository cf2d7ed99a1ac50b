// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/parameters.h"

#include <limits>
#include <string>

#include "controller/cache/sector_set.h"
#include "core/error.h"
#include "protocol/storage.h"

namespace nandscape::controller {

void describe(CacheParameters& p, ParameterVisitor& v) {
  v.unread_if(p.policy == CachePolicy::none,
              {"capacity_bytes", "replacement", "dirty_high_percent", "dirty_low_percent", "writes_in_flight",
               "prefetch_pages", "backup"},
              "policy is none");
  v.unread_if(!p.keeps_writes(), {"dirty_high_percent", "dirty_low_percent", "writes_in_flight", "backup"},
              "policy keeps no writes");
  v.unread_if(!p.keeps_reads(), {"prefetch_pages"}, "policy keeps no reads");
  v.choice("policy", p.policy,
           {{"none", "there is no cache"},
            {"read", "data that were read; writes bypass it"},
            {"write_back", "data that were written: answered from DRAM and written to flash later"},
            {"read_write", "both"}},
           "what the cache keeps");
  v.integer("capacity_bytes", p.capacity_bytes, {sector_bytes, std::int64_t{1} << 46}, "bytes",
            "DRAM that holds host data");
  v.choice("replacement", p.replacement,
           {{"lru", "the least recently used unit"},
            {"fifo", "the unit that has been clean longest"},
            {"clock", "as fifo, but a unit used since then gets a second chance"}},
           "which clean unit is evicted to make room");
  v.real("dirty_high_percent", p.dirty_high_percent, {0, 100}, "percent",
         "share of dirty units above which background write-back begins");
  v.real("dirty_low_percent", p.dirty_low_percent, {0, 100}, "percent",
         "share of dirty units at which background write-back ends");
  v.integer("writes_in_flight", p.writes_in_flight, {1, 1 << 16}, "", "units written back at the same time");
  v.integer("prefetch_pages", p.prefetch_pages, {0, 4096}, "pages",
            "units read ahead of a sequential stream, by a policy that keeps reads");
  v.choice("backup", p.backup,
           {{"none", "flush and force unit access write to flash"},
            {"capacitor", "data in DRAM outlive a power cut, so flush and force unit access are answered from there"}},
           "what happens to the cached writes when power fails");
}

void check(const CacheParameters& p, std::uint32_t unit_bytes) {
  if (p.policy == CachePolicy::none) return;
  if (unit_bytes > SectorSet::most_sectors * sector_bytes) {
    throw ConfigError({}, "controller.cache.policy",
                      "must be none with mapping units of " + std::to_string(unit_bytes) +
                          " bytes: the cache holds units of 65536 bytes at most");
  }
  if (p.capacity_bytes < unit_bytes) {
    throw ConfigError({}, "controller.cache.capacity_bytes",
                      "must hold at least one mapping unit of " + std::to_string(unit_bytes) + " bytes");
  }
  if (p.capacity_bytes / unit_bytes >= std::numeric_limits<std::uint32_t>::max()) {
    throw ConfigError({}, "controller.cache.capacity_bytes",
                      "must hold fewer than 2^32 - 1 mapping units of " + std::to_string(unit_bytes) + " bytes");
  }
  if (p.dirty_low_percent > p.dirty_high_percent) {
    throw ConfigError({}, "controller.cache.dirty_low_percent",
                      "must not exceed dirty_high_percent (" + std::to_string(p.dirty_high_percent) + ")");
  }
}

}  // namespace nandscape::controller
