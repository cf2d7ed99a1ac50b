// SPDX-License-Identifier: Apache-2.0
#include "rtl/onfi/timing_modes.h"

#include <algorithm>
#include <string_view>

namespace nandscape::rtl::onfi {

namespace {

constexpr Tick ns = nanosecond;
constexpr Tick ps = picosecond;

constexpr Tick interface_change = microsecond;  // tITC

using enum BusEvent;

// clang-format off
constexpr Constraint sdr_constraints[] = {
    {"tCS", ce_fall, write_rise, {70 * ns, 35 * ns, 25 * ns, 25 * ns, 20 * ns, 15 * ns}},
    {"tCH", write_rise, ce_rise, {20 * ns, 10 * ns, 10 * ns, 5 * ns, 5 * ns, 5 * ns}},
    {"tCEH", ce_rise, ce_fall, {20 * ns, 20 * ns, 20 * ns, 20 * ns, 20 * ns, 20 * ns}},
    {"tCLS", cle_change, write_rise, {50 * ns, 25 * ns, 15 * ns, 10 * ns, 10 * ns, 10 * ns}},
    {"tCLH", write_rise, cle_change, {20 * ns, 10 * ns, 10 * ns, 5 * ns, 5 * ns, 5 * ns}},
    {"tALS", ale_change, write_rise, {50 * ns, 25 * ns, 15 * ns, 10 * ns, 10 * ns, 10 * ns}},
    {"tALH", write_rise, ale_change, {20 * ns, 10 * ns, 10 * ns, 5 * ns, 5 * ns, 5 * ns}},
    {"tDS", dq_change, write_rise, {40 * ns, 20 * ns, 15 * ns, 10 * ns, 10 * ns, 7 * ns}},
    {"tDH", write_rise, dq_change, {20 * ns, 10 * ns, 5 * ns, 5 * ns, 5 * ns, 5 * ns}},
    {"tWP", write_fall, write_rise, {50 * ns, 25 * ns, 17 * ns, 15 * ns, 12 * ns, 10 * ns}},
    {"tWH", write_rise, write_fall, {30 * ns, 15 * ns, 15 * ns, 10 * ns, 10 * ns, 7 * ns}},
    {"tWC", write_fall, write_fall, {100 * ns, 45 * ns, 35 * ns, 30 * ns, 25 * ns, 20 * ns}},
    {"tRP", read_fall, read_rise, {50 * ns, 25 * ns, 17 * ns, 15 * ns, 12 * ns, 10 * ns}},
    {"tREH", read_rise, read_fall, {30 * ns, 15 * ns, 15 * ns, 10 * ns, 10 * ns, 7 * ns}},
    {"tRC", read_fall, read_fall, {100 * ns, 50 * ns, 35 * ns, 30 * ns, 25 * ns, 20 * ns}},
    {"tCLR", cle_fall, read_fall, {20 * ns, 10 * ns, 10 * ns, 10 * ns, 10 * ns, 10 * ns}},
    {"tAR", ale_fall, read_fall, {25 * ns, 10 * ns, 10 * ns, 10 * ns, 10 * ns, 10 * ns}},
    {"tRR", ready, data_wanted, {40 * ns, 20 * ns, 20 * ns, 20 * ns, 20 * ns, 20 * ns}},
    {"tWHR", write_rise, read_fall, {120 * ns, 80 * ns, 80 * ns, 80 * ns, 80 * ns, 80 * ns}},
    {"tRHW", read_rise, write_fall, {200 * ns, 100 * ns, 100 * ns, 100 * ns, 100 * ns, 100 * ns}},
    {"tADL", address_latched, data_latched, {400 * ns, 400 * ns, 400 * ns, 400 * ns, 400 * ns, 400 * ns}},
    {"tCCS", column_changed, data_latched, {500 * ns, 500 * ns, 500 * ns, 500 * ns, 500 * ns, 500 * ns}},
    {"tCCS", column_changed, data_wanted, {500 * ns, 500 * ns, 500 * ns, 500 * ns, 500 * ns, 500 * ns}},
    {"tWW", wp_change, write_fall, {100 * ns, 100 * ns, 100 * ns, 100 * ns, 100 * ns, 100 * ns}},
    {"tITC", interface_set, ce_fall, {interface_change, interface_change, interface_change, interface_change,
                                      interface_change, interface_change}},
};

// In each mode, all setup and hold times of CLE, ALE and DQ relative to CLK (tCALS to tCAH) are equal.
constexpr Constraint nv_ddr_constraints[] = {
    {"tCS", ce_fall, write_rise, {35 * ns, 25 * ns, 15 * ns, 15 * ns, 15 * ns, 15 * ns}},
    {"tCH", write_rise, ce_rise, {10 * ns, 5 * ns, 4 * ns, 3 * ns, 2500 * ps, 2 * ns}},
    {"tCEH", ce_rise, ce_fall, {20 * ns, 20 * ns, 20 * ns, 20 * ns, 20 * ns, 20 * ns}},
    {"tCK", clock_rise, clock_rise, {50 * ns, 30 * ns, 20 * ns, 15 * ns, 12 * ns, 10 * ns}},
    {"tCALS", cle_change, clock_rise, {10 * ns, 5 * ns, 4 * ns, 3 * ns, 2500 * ps, 2 * ns}},
    {"tCALS", ale_change, clock_rise, {10 * ns, 5 * ns, 4 * ns, 3 * ns, 2500 * ps, 2 * ns}},
    {"tCALH", clock_rise, cle_change, {10 * ns, 5 * ns, 4 * ns, 3 * ns, 2500 * ps, 2 * ns}},
    {"tCALH", clock_rise, ale_change, {10 * ns, 5 * ns, 4 * ns, 3 * ns, 2500 * ps, 2 * ns}},
    {"tCAS", dq_change, write_rise, {10 * ns, 5 * ns, 4 * ns, 3 * ns, 2500 * ps, 2 * ns}},
    {"tCAH", write_rise, dq_change, {10 * ns, 5 * ns, 4 * ns, 3 * ns, 2500 * ps, 2 * ns}},
    {"tCAD", write_rise, write_rise, {45 * ns, 45 * ns, 45 * ns, 45 * ns, 45 * ns, 45 * ns}},
    {"tDS", dq_change, data_latched, {5 * ns, 3 * ns, 2 * ns, 1500 * ps, 1100 * ps, 900 * ps}},
    {"tDH", data_latched, dq_change, {5 * ns, 2500 * ps, 1700 * ps, 1300 * ps, 1100 * ps, 900 * ps}},
    {"tWRCK", direction_change, read_fall, {20 * ns, 20 * ns, 20 * ns, 20 * ns, 20 * ns, 20 * ns}},
    {"tRR", ready, data_wanted, {20 * ns, 20 * ns, 20 * ns, 20 * ns, 20 * ns, 20 * ns}},
    {"tWHR", write_rise, read_fall, {80 * ns, 80 * ns, 80 * ns, 80 * ns, 80 * ns, 80 * ns}},
    {"tRHW", read_fall, write_rise, {100 * ns, 100 * ns, 100 * ns, 100 * ns, 100 * ns, 100 * ns}},
    {"tADL", address_latched, data_latched, {400 * ns, 400 * ns, 400 * ns, 400 * ns, 400 * ns, 400 * ns}},
    {"tCCS", column_changed, data_latched, {500 * ns, 500 * ns, 500 * ns, 500 * ns, 500 * ns, 500 * ns}},
    {"tCCS", column_changed, data_wanted, {500 * ns, 500 * ns, 500 * ns, 500 * ns, 500 * ns, 500 * ns}},
    {"tWW", wp_change, write_rise, {100 * ns, 100 * ns, 100 * ns, 100 * ns, 100 * ns, 100 * ns}},
    {"tITC", interface_set, ce_fall, {interface_change, interface_change, interface_change, interface_change,
                                      interface_change, interface_change}},
};

constexpr SdrTimes sdr[] = {
    {100 * ns, 50 * ns, 100 * ns, 50 * ns, 40 * ns, 200 * ns},
    {45 * ns, 25 * ns, 50 * ns, 25 * ns, 30 * ns, 100 * ns},
    {35 * ns, 17 * ns, 35 * ns, 17 * ns, 25 * ns, 100 * ns},
    {30 * ns, 15 * ns, 30 * ns, 15 * ns, 20 * ns, 100 * ns},
    {25 * ns, 12 * ns, 25 * ns, 12 * ns, 20 * ns, 100 * ns},
    {20 * ns, 10 * ns, 20 * ns, 10 * ns, 16 * ns, 100 * ns},
};

constexpr NvDdrTimes nv_ddr[] = {
    {50 * ns, 25 * ns, 20 * ns, 18 * ns, 45 * ns, 20 * ns},
    {30 * ns, 25 * ns, 20 * ns, 18 * ns, 45 * ns, 20 * ns},
    {20 * ns, 25 * ns, 20 * ns, 18 * ns, 45 * ns, 20 * ns},
    {15 * ns, 25 * ns, 20 * ns, 18 * ns, 45 * ns, 20 * ns},
    {12 * ns, 25 * ns, 20 * ns, 18 * ns, 45 * ns, 20 * ns},
    {10 * ns, 25 * ns, 20 * ns, 18 * ns, 45 * ns, 20 * ns},
};
// clang-format on

Tick longest(TimingMode mode, std::string_view parameter) {
  Tick time = 0;
  for (const Constraint& c : constraints(mode.interface)) {
    if (c.parameter == parameter) time = std::max(time, c.minimum[mode.mode]);
  }
  return time;
}

}  // namespace

std::span<const Constraint> constraints(Interface interface) {
  if (interface == Interface::sdr) return sdr_constraints;
  return nv_ddr_constraints;
}

const SdrTimes& sdr_times(std::uint8_t mode) { return sdr[mode]; }
const NvDdrTimes& nv_ddr_times(std::uint8_t mode) { return nv_ddr[mode]; }

HostWaits host_waits(TimingMode mode) {
  const bool slowest = mode.interface == Interface::sdr && mode.mode == 0;
  return {.address_to_data = longest(mode, "tADL"),
          .change_column = longest(mode, "tCCS"),
          .write_to_read = longest(mode, "tWHR"),
          .read_to_write = longest(mode, "tRHW"),
          .ready_to_read = longest(mode, "tRR"),
          .write_to_busy = (slowest ? 200 : 100) * ns,
          .chip_setup = longest(mode, "tCS"),
          .chip_hold = longest(mode, "tCH"),
          .chip_high = longest(mode, "tCEH"),
          .interface_change = interface_change};
}

}  // namespace nandscape::rtl::onfi
