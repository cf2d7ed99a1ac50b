// SPDX-License-Identifier: Apache-2.0
// What the timing modes of ONFI ask of a host, as minimum times between two events at the pins, and the times that a
// host or a target needs to know to make its own edges [ONFI 4.0, chapter 4]. All times are ticks.
#pragma once

#include <cstdint>
#include <span>

#include "core/ticks.h"
#include "rtl/onfi/commands.h"

namespace nandscape::rtl::onfi {

// What happens at the pins of a target, as far as times are counted between such events.
enum class BusEvent : std::uint8_t {
  ce_fall,
  ce_rise,
  cle_change,
  cle_fall,
  ale_change,
  ale_fall,
  write_fall,  // of WE_n
  write_rise,  // of WE_n; in NV-DDR a rising edge of CLK with a command or an address
  read_fall,   // of RE_n; in NV-DDR a rising edge of CLK that asks for data
  read_rise,   // of RE_n
  dq_change,   // driven by the host
  dqs_change,  // driven by the host
  wp_change,
  ready,             // R/B_n rises
  address_latched,   // the last of a command so far
  column_changed,    // 05h-E0h, 06h-E0h, or the address of 85h
  data_latched,      // data-in
  data_wanted,       // data-out
  interface_set,     // the last byte of a SET FEATURES that changes the interface
  clock_rise,        // of CLK, while CE_n is low
  direction_change,  // of W/R_n
};
inline constexpr std::size_t bus_events = 21;

// From the latest `from` to each `to` there must be at least `minimum`.
struct Constraint {
  const char* parameter;  // "tADL"
  BusEvent from;
  BusEvent to;
  Tick minimum[timing_modes];
};

std::span<const Constraint> constraints(Interface interface);

// Of one SDR mode.
struct SdrTimes {
  Tick write_cycle;  // tWC
  Tick write_pulse;  // tWP
  Tick read_cycle;   // tRC
  Tick read_pulse;   // tRP
  Tick access;       // tREA, at most: RE_n to data
  Tick release;      // tRHZ, at most: RE_n high to DQ released
};
const SdrTimes& sdr_times(std::uint8_t mode);

// Of one NV-DDR mode.
struct NvDdrTimes {
  Tick clock;            // tCK
  Tick strobe_access;    // tDQSCK, at most: CLK to DQS
  Tick strobe_release;   // tDQSHZ, at most: W/R_n high to DQ and DQS released
  Tick strobe_drive;     // tDQSD, at most: W/R_n low to DQS driven
  Tick command_spacing;  // tCAD
  Tick turn_around;      // tWRCK: W/R_n low to the first CLK of data-out
};
const NvDdrTimes& nv_ddr_times(std::uint8_t mode);

// What a host waits out between cycles, the same for every interface.
struct HostWaits {
  Tick address_to_data;   // tADL
  Tick change_column;     // tCCS
  Tick write_to_read;     // tWHR
  Tick read_to_write;     // tRHW
  Tick ready_to_read;     // tRR
  Tick write_to_busy;     // tWB, at most
  Tick chip_setup;        // tCS
  Tick chip_hold;         // tCH
  Tick chip_high;         // tCEH
  Tick interface_change;  // tITC
};
HostWaits host_waits(TimingMode mode);

// Busy after a confirm cycle that only queues a plane, tDBSY.
inline constexpr Tick queue_busy = 500 * nanosecond;

}  // namespace nandscape::rtl::onfi
