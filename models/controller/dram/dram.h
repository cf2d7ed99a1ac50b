// SPDX-License-Identifier: Apache-2.0
// Timing model of the controller's DRAM. It has one channel, and each bank keeps its last row open.
//
// Consecutive rows are in consecutive banks, so that the next row of a sequential stream is opened while data of the
// current row are being transferred. Transfers use the data bus in their order of arrival. Each transfer opens its rows
// at once, unless the bank is still busy with an earlier transfer. If the row is open, its data appear the time CL
// after the column command. Otherwise the bank first closes the open row, if there is one (RP), and then opens the new
// row (RCD):
//
//   bus      |--- row 0 ---|--- row 1 ---|
//   bank 0   RCD CL data...
//   bank 1   RCD CL ..waits..data...
//
// A refresh blocks a real device for the time RFC in every interval REFI. The model instead makes all bursts longer by
// the corresponding factor. It does not model that a refresh closes the open rows.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/parameters.h"
#include "core/statistics.h"
#include "core/ticks.h"

namespace nandscape::controller {

// The defaults describe two DDR4-2400T devices of 8 Gb, each 16 bits wide, in parallel. CL, RCD and RP are 17 clock
// cycles, and RFC and REFI are the values in JESD79-4. Each device has two groups of four banks, and rows of 2 KiB.
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
  // The energies are only the order of magnitude for DDR4 devices. For a given device, take them from its datasheet.
  double energy_pj_per_bit = 6;
  double activate_nj = 2;
  double background_mw = 0;  // of all devices together
};
void describe(DramParameters& p, ParameterVisitor& v);
// Throws ConfigError if the width of the bus is not a whole number of bytes.
void check(const DramParameters& p);
// Returns the highest possible bandwidth of the data bus, which is reached when only refreshes interrupt the transfers:
//
//   rate x width x (1 - tRFC / tREFI)
double peak_bytes_per_s(const DramParameters& p);
// Returns the time for which an aligned access occupies the data bus: that of whole bursts.
double access_seconds(const DramParameters& p, std::uint32_t bytes);

inline constexpr std::uint64_t burst_transfers = 8;  // burst length of DDR4 (BL8)

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

  // Transfers `bytes` bytes and returns the time at which the last byte has been transferred. `now` must not be lower
  // than in the previous call.
  Tick transfer(Direction direction, std::uint64_t address, std::uint64_t bytes, Tick now);

  const DramCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  struct Bank {
    std::uint64_t row = no_row;
    Tick free = 0;  // time from which it accepts commands
  };

  static constexpr std::uint64_t no_row = ~std::uint64_t{0};

  // Transfers bytes of one row. Returns the time at which the last byte has been transferred.
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
