// SPDX-License-Identifier: Apache-2.0
// The requirements of the ONFI timing modes for a host. They are minimum times between two events at the pins [ONFI
// 4.0, chapter 4]. This file also contains the times at which a simulated host or target makes its edges. All times are
// in ticks.
#pragma once

#include <cstdint>
#include <span>

#include "core/ticks.h"
#include "rtl/onfi/commands.h"

namespace nandscape::rtl::onfi {

// Events at the pins of a target. Constraints are defined between two of these events.
enum class BusEvent : std::uint8_t {
  ce_fall,
  ce_rise,
  cle_change,
  cle_fall,
  ale_change,
  ale_fall,
  write_fall,  // WE_n falls
  write_rise,  // WE_n rises; NV-DDR: CLK rises with a command or an address
  read_fall,   // RE_n falls; NV-DDR: CLK rises and requests data
  read_rise,   // RE_n rises
  dq_change,   // the host changes DQ
  dqs_change,  // the host changes DQS
  wp_change,
  ready,             // R/B_n rises
  address_latched,   // an address cycle is latched
  column_changed,    // 05h-E0h, 06h-E0h, or the address of 85h has been latched
  data_latched,      // a byte of data-in is latched
  data_wanted,       // the host requests a byte of data-out
  interface_set,     // the last byte of a SET FEATURES command that changes the interface
  clock_rise,        // CLK rises while CE_n is low
  direction_change,  // W/R_n changes
};
inline constexpr std::size_t bus_events = 21;

// The time from the latest event `from` to each event `to` must be at least `minimum`.
struct Constraint {
  const char* parameter;  // name in ONFI, for example "tADL"
  BusEvent from;
  BusEvent to;
  Tick minimum[timing_modes];
};

std::span<const Constraint> constraints(Interface interface);

// The times of one SDR mode.
struct SdrTimes {
  Tick write_cycle;  // tWC
  Tick write_pulse;  // tWP
  Tick read_cycle;   // tRC
  Tick read_pulse;   // tRP
  Tick access;       // tREA, maximum: RE_n low to data
  Tick release;      // tRHZ, maximum: RE_n high to DQ released
};
const SdrTimes& sdr_times(std::uint8_t mode);

// The times of one NV-DDR mode.
struct NvDdrTimes {
  Tick clock;            // tCK
  Tick strobe_access;    // tDQSCK, maximum: CLK to DQS
  Tick strobe_release;   // tDQSHZ, maximum: W/R_n high to DQ and DQS released
  Tick strobe_drive;     // tDQSD, maximum: W/R_n low to DQS driven
  Tick command_spacing;  // tCAD
  Tick turn_around;      // tWRCK: W/R_n low to the first CLK of data-out
};
const NvDdrTimes& nv_ddr_times(std::uint8_t mode);

// The times for which a host waits between cycles. The members are the same for every interface.
struct HostWaits {
  Tick address_to_data;   // tADL
  Tick change_column;     // tCCS
  Tick write_to_read;     // tWHR
  Tick read_to_write;     // tRHW
  Tick ready_to_read;     // tRR
  Tick write_to_busy;     // tWB, maximum
  Tick chip_setup;        // tCS
  Tick chip_hold;         // tCH
  Tick chip_high;         // tCEH
  Tick interface_change;  // tITC
};
HostWaits host_waits(TimingMode mode);

// tDBSY: the time for which the target is busy after a confirm cycle that only queues a plane.
inline constexpr Tick queue_busy = 500 * nanosecond;

}  // namespace nandscape::rtl::onfi
