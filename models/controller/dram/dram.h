// SPDX-License-Identifier: Apache-2.0
// Timing of the controller's DRAM: one channel with open-page row buffers.
//
// Consecutive rows are in consecutive banks, so that a stream opens the next row while the current one is transferred.
// Transfers use the data bus in the order of arrival. Each opens its rows at once, unless the bank is busy with an
// earlier transfer. Data of an open row follow CL after the column command. Opening another row first takes RP (if one
// is open) and RCD:
//
//   bus      |--- row 0 ---|--- row 1 ---|
//   bank 0   RCD CL data...
//   bank 1   RCD CL ..waits..data...
//
// Refresh takes RFC out of every REFI. The model spreads it over all bursts by making them longer, instead of stalling
// some of them. It ignores that refresh closes rows.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/parameters.h"
#include "core/statistics.h"
#include "core/ticks.h"

namespace nandscape::controller {

// The defaults are two DDR4-2400T devices of 8 Gb and 16 bits side by side. CL, RCD and RP are 17 cycles; RFC and REFI
// are those of JESD79-4. Each device has two groups of four banks, and rows of 2 KiB.
struct DramParameters {
  std::uint32_t rate_mt_s = 2400;
  std::uint32_t bus_bits = 32;
  std::uint32_t banks = 8;
  std::uint32_t row_bytes = 4096;
  double t_rcd_ns = 14.16;
  double t_rp_ns = 14.16;
  double t_cl_ns = 14.16;
  double t_refi_ns = 7800;
  double t_rfc_ns = 350;
  // Orders of magnitude for DDR4 devices; see the datasheet of a given part.
  double energy_pj_per_bit = 6;
  double activate_nj = 2;
};
void describe(DramParameters& p, ParameterVisitor& v);
// Throws ConfigError unless the bus width is a whole number of bytes.
void check(const DramParameters& p);
// The bandwidth of the data bus when it idles only for refresh:
//
//   rate x width x (1 - tRFC / tREFI)
double peak_bytes_per_s(const DramParameters& p);

struct DramCounters {
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t row_hits = 0;
  std::uint64_t row_misses = 0;
  Tick busy = 0;
};
void describe(const DramCounters& counters, StatisticsVisitor& visitor);

class Dram {
 public:
  enum class Direction : std::uint8_t { read, write };

  explicit Dram(const DramParameters& parameters);

  // Returns the time when the last byte has moved. `now` must not decrease from call to call.
  Tick transfer(Direction direction, std::uint64_t address, std::uint64_t bytes, Tick now);

  const DramCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  struct Bank {
    std::uint64_t row = no_row;
    Tick free = 0;  // when it accepts commands again
  };

  static constexpr std::uint64_t no_row = ~std::uint64_t{0};
  static constexpr std::uint64_t burst_transfers = 8;  // BL8

  // Moves bytes of one row, and returns the time when the last has moved.
  Tick move(std::uint64_t row, std::uint64_t offset, std::uint64_t bytes, Tick now);

  const std::uint64_t row_bytes_;
  const std::uint64_t burst_bytes_;
  const double burst_ticks_;
  const Tick activate_;
  const Tick precharge_;
  const Tick column_;
  std::vector<Bank> banks_;
  Tick bus_free_ = 0;
  DramCounters counters_;
};

}  // namespace nandscape::controller
