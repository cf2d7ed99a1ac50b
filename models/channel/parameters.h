// SPDX-License-Identifier: Apache-2.0
// Configuration group `channel`.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape::channel {

enum class BusInterface { nv_ddr2, nv_ddr3, nv_ddr4 };

// Which goes first when the bus becomes free and both a command and a response wait for it.
enum class BusArbitration { command_first, response_first };

// The default is an order of magnitude. A data line of 12 pF, about 2 pF for each of four dies and for the controller,
// takes C V^2 / 4 = 4.3 pJ for a random bit at 1.2 V, and strobes and receivers add to it. The 18 mW of [Jung 2012]
// would be 2.25 pJ per bit on 8 lines at 1000 MT/s.
struct ChannelEnergyParameters {
  double interface_pj_per_bit = 5;
};
void describe(ChannelEnergyParameters& p, ParameterVisitor& v);

struct ChannelParameters {
  std::uint32_t count = 4;
  BusInterface interface = BusInterface::nv_ddr3;
  std::uint32_t rate_mt_s = 1000;
  std::uint32_t width_bits = 8;
  BusArbitration arbitration = BusArbitration::command_first;
  std::uint32_t row_address_cycles = 3;
  bool transfer_spare = true;
  double t_cycle_ns = 25;
  double t_wb_ns = 100;
  double t_rr_ns = 20;
  double t_adl_ns = 150;
  double t_whr_ns = 80;
  double t_ccs_ns = 500;
  double t_preamble_ns = 15;
  double t_postamble_ns = 15;
  double t_dbsy_ns = 500;
  ChannelEnergyParameters energy;
};

// Returns the highest transfer rate of an interface, in MT/s.
std::uint32_t fastest_mt_s(BusInterface interface);
// Throws ConfigError unless the width is 8 or 16 bits.
void check(const ChannelParameters& parameters);
void describe(ChannelParameters& p, ParameterVisitor& v);

}  // namespace nandscape::channel
