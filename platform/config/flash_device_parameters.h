// SPDX-License-Identifier: Apache-2.0
// The parameters of the device behind the front end, and checks that involve several of them.
#pragma once

#include <memory>
#include <span>

#include "channel/parameters.h"
#include "controller/flash_ops/data_path.h"
#include "controller/hold_up.h"
#include "controller/mapping/block_age.h"
#include "controller/mapping/capacity_plan.h"
#include "controller/parameters.h"
#include "controller/reading/read_timing_table.h"
#include "controller/writing/write_mode.h"
#include "nand/parameters.h"
#include "nand/timing.h"
#include "platform/config/drive_codes.h"
#include "protocol/geometry.h"

namespace nandscape {

struct FlashDeviceParameters {
  controller::ControllerParameters controller;
  DriveEccParameters ecc;
  channel::ChannelParameters channel;
  nand::NandParameters nand;
};

// Returns the geometry of the device. The number of channels is taken from the parameters of the channel.
Geometry geometry_of(const FlashDeviceParameters& parameters);

// These functions return the times of a flash page, the capacity plan, and the time for which the drive must be powered
// after its supply fails.
controller::PageTimes page_times_of(const FlashDeviceParameters& parameters);
controller::CapacityPlan capacity_plan_of(const FlashDeviceParameters& parameters);
controller::HoldUp hold_up_of(const FlashDeviceParameters& parameters);

// Returns the table of read times for read-retries, or null if the read-retries do not adapt their timing. Throws
// ConfigError if there is no table for the cells.
std::shared_ptr<const controller::ReadTimingTable> read_timing_of(const FlashDeviceParameters& parameters);

// Returns the properties of the drive that a refresh policy needs, without the predictions of the cells.
controller::RefreshContext refresh_facts(const FlashDeviceParameters& parameters, const nand::NandTiming& timing);
// Returns the properties of the drive that a write mode needs. `cells_have_errors` is false for ideal cells.
controller::WriteFacts write_facts(const FlashDeviceParameters& parameters, bool cells_have_errors, bool keeps_bytes);

// A check of parameters, which throws ConfigError. The parameters of a drive must pass all of these checks, the checks
// of its codes (drive_codes.h), and the table of settings that exclude each other (compatibility.h).
using FlashDeviceCheck = void (*)(const FlashDeviceParameters&);
// Returns the checks that concern single blocks.
std::span<const FlashDeviceCheck> block_checks();
// Returns the checks of limits that follow from the whole device, for example the capacity that is left for data. They
// require parameters without incompatible settings.
std::span<const FlashDeviceCheck> device_limits();

}  // namespace nandscape
