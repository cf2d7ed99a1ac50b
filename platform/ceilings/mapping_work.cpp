// SPDX-License-Identifier: Apache-2.0
#include "platform/ceilings/mapping_work.h"

#include <algorithm>

#include "controller/dram/dram.h"
#include "controller/mapping/mapping_memory.h"

namespace nandscape {

namespace {

constexpr std::uint32_t line_bytes = controller::MappingMemory::line_bytes;

host::CommandTraffic operator*(double times, const host::CommandTraffic& one) {
  return {times * one.upstream, times * one.downstream};
}

}  // namespace

MappingWork::MappingWork(const PlatformParameters& p, std::uint32_t unit_bytes,
                         std::optional<std::uint64_t> range_bytes)
    : p_(p) {
  const controller::MappingParameters& mapping = p.controller.mapping;
  const std::uint32_t units_of_line = line_bytes / mapping.cache.entry_bytes;
  const std::uint32_t units_of_page = unit_bytes / mapping.cache.entry_bytes;
  line_units_ = units_of_line;
  page_units_ = units_of_page;
  const std::uint64_t granted = std::min(mapping.host_buffer_bytes, p.host.driver.host_buffer_bytes);
  has_buffer_ = mapping.memory == controller::MappingPlace::host && granted >= mapping.cache.cache_bytes;
  if (has_buffer_) {
    line_read_ = host::host_read_traffic(p.host, line_bytes);
    line_write_ = host::host_write_traffic(p.host, line_bytes);
    page_read_ = host::host_read_traffic(p.host, unit_bytes);
    page_write_ = host::host_write_traffic(p.host, unit_bytes);
  }
  if (mapping.cache.cache_bytes == 0 || !range_bytes) return;
  const double entries_bytes = static_cast<double>(*range_bytes) / unit_bytes * mapping.cache.entry_bytes;
  const auto share = [&](std::uint64_t bytes) { return std::min(1.0, static_cast<double>(bytes) / entries_bytes); };
  in_sram_ = share(mapping.cache.cache_bytes);
  in_memory_ = has_buffer_ ? share(granted) : in_sram_;
}

MappingDemand MappingWork::of(double units, double changed, double moved, bool in_order) const {
  MappingDemand demand;
  const double lines = in_order ? units / line_units_ : std::max(1.0, units / line_units_);
  const double looked_up = lines + moved;
  if (p_.controller.mapping.memory == controller::MappingPlace::dram) {
    const controller::DramParameters& dram = p_.controller.dram;
    const double line_s = controller::access_seconds(dram, line_bytes);
    const double entry_s = controller::access_seconds(dram, p_.controller.mapping.cache.entry_bytes);
    const double rows = in_order ? moved : looked_up + changed + moved;
    demand.bus_s = looked_up * line_s + (changed + moved) * entry_s;
    demand.bank_s = (demand.bus_s + 1e-9 * rows * (dram.t_rp_ns + dram.t_rcd_ns)) / dram.banks;
    return demand;
  }
  // In order, only the first access to a line or to a translation page finds it missing.
  const bool misses_sram = in_sram_ < 1, misses_memory = in_memory_ < 1;
  const double pages = in_order ? misses_memory * units / page_units_ : (1 - in_memory_) * lines;
  demand.loads = pages + (1 - in_memory_) * moved;
  demand.stores = (changed > 0 ? pages : 0) + (1 - in_memory_) * moved;
  if (!has_buffer_) return demand;
  const double from_buffer = in_order ? misses_sram * lines - pages : (in_memory_ - in_sram_) * lines;
  const double fetched = from_buffer + (in_memory_ - in_sram_) * moved;
  const double returned = (changed > 0 ? from_buffer : 0) + (in_memory_ - in_sram_) * moved;
  for (const host::CommandTraffic& part :
       {fetched * line_read_, returned * line_write_, demand.loads * page_write_, demand.stores * page_read_}) {
    demand.link.upstream += part.upstream;
    demand.link.downstream += part.downstream;
  }
  return demand;
}

}  // namespace nandscape
