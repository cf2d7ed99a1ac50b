// SPDX-License-Identifier: Apache-2.0
#include "controller/dram/dram.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"

namespace nandscape::controller {

void describe(DramParameters& p, ParameterVisitor& v) {
  v.integer("rate_mt_s", p.rate_mt_s, {1, 100'000}, "mt_s", "transfers per second on the data bus");
  v.integer("bus_bits", p.bus_bits, {8, 1024}, "bits", "width of the data bus");
  v.integer("banks", p.banks, {1, 4096}, "", "banks, each with one open row");
  v.integer("row_bytes", p.row_bytes, {64, 1 << 20}, "bytes", "bytes of a row, over the full width of the bus");
  v.real("t_rcd_ns", p.t_rcd_ns, {0, 1e6}, "ns", "time from the activation of a row to its first column command");
  v.real("t_rp_ns", p.t_rp_ns, {0, 1e6}, "ns", "time to close a row");
  v.real("t_cl_ns", p.t_cl_ns, {0, 1e6}, "ns", "time from a column command to its data");
  v.real("t_refi_ns", p.t_refi_ns, {1, 1e9}, "ns", "time from one refresh command to the next");
  v.real("t_rfc_ns", p.t_rfc_ns, {0, 1e9}, "ns", "duration of a refresh command; 0: no refresh");
  v.real("energy_pj_per_bit", p.energy_pj_per_bit, {0, 1e6}, "pj_per_bit", "energy to read or write a bit");
  v.real("activate_nj", p.activate_nj, {0, 1e6}, "nj", "energy to open a row");
  v.real("background_mw", p.background_mw, {0, 100000}, "mw", "power of the DRAM at all times, refreshes included");
}

void check(const DramParameters& p) {
  if (p.bus_bits % 8 != 0) {
    throw ConfigError({}, "controller.dram.bus_bits",
                      std::to_string(p.bus_bits) + " bits are not a whole number of bytes; take a multiple of 8");
  }
}

double peak_bytes_per_s(const DramParameters& p) {
  return 1e6 * p.rate_mt_s * p.bus_bits / 8 * (1 - p.t_rfc_ns / p.t_refi_ns);
}

double access_seconds(const DramParameters& p, std::uint32_t bytes) {
  const std::uint64_t burst = burst_transfers * p.bus_bits / 8;
  const std::uint64_t moved = (bytes + burst - 1) / burst * burst;
  return static_cast<double>(moved) / peak_bytes_per_s(p);
}

void describe(const DramCounters& c, StatisticsVisitor& v) {
  v.count("bytes_read", c.bytes_read, "bytes read from DRAM");
  v.count("bytes_written", c.bytes_written, "bytes written to DRAM");
  v.count("row_hits", c.row_hits, "accesses to open rows");
  v.count("row_misses", c.row_misses, "accesses to rows that had to be opened");
  v.amount("busy_us", us_from_ticks(c.busy), "us", "time in which the bus moved data");
}

Dram::Dram(const DramParameters& p)
    : row_bytes_(p.row_bytes),
      burst_bytes_(burst_transfers * p.bus_bits / 8),
      burst_ticks_(burst_transfers * 1e6 / p.rate_mt_s / (1 - p.t_rfc_ns / p.t_refi_ns)),
      activate_(ticks_from_ns(p.t_rcd_ns)),
      precharge_(ticks_from_ns(p.t_rp_ns)),
      column_(ticks_from_ns(p.t_cl_ns)),
      banks_(p.banks) {}

Tick Dram::transfer(Direction direction, std::uint64_t address, std::uint64_t bytes, Tick now) {
  (direction == Direction::read ? counters_.bytes_read : counters_.bytes_written) += bytes;
  Tick end = now;
  while (bytes > 0) {
    const std::uint64_t row = address / row_bytes_;
    const std::uint64_t offset = address - row * row_bytes_;
    const std::uint64_t moved = std::min(bytes, row_bytes_ - offset);
    end = move(row, offset, moved, now);
    address += moved;
    bytes -= moved;
  }
  return end;
}

Tick Dram::move(std::uint64_t row, std::uint64_t offset, std::uint64_t bytes, Tick now) {
  Bank& bank = banks_[row % banks_.size()];
  const bool hit = bank.row == row;
  ++(hit ? counters_.row_hits : counters_.row_misses);
  const Tick begin = std::max(now, bank.free);
  Tick column_command = begin;
  if (!hit) column_command += (bank.row == no_row ? 0 : precharge_) + activate_;
  bank.row = row;

  const std::uint64_t bursts = (offset + bytes + burst_bytes_ - 1) / burst_bytes_ - offset / burst_bytes_;
  const Tick time = static_cast<Tick>(std::llround(static_cast<double>(bursts) * burst_ticks_));
  // If the row is open, its column command is issued while the data of the previous transfer are still on the bus. The
  // data of the two transfers then follow each other without a gap.
  const Tick data = std::max(bus_free_, column_command + column_);
  bus_free_ = data + time;
  bank.free = bus_free_ - std::min(column_, bus_free_);
  counters_.busy += time;
  return bus_free_;
}

}  // namespace nandscape::controller
