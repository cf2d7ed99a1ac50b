// SPDX-License-Identifier: Apache-2.0
// The parameters of the device behind its front end.
#pragma once

#include <memory>
#include <span>

#include "channel/parameters.h"
#include "controller/flash_ops/data_path.h"
#include "controller/flash_ops/write_facts.h"
#include "controller/hold_up.h"
#include "controller/mapping/block_age.h"
#include "controller/mapping/capacity_plan.h"
#include "controller/parameters.h"
#include "controller/reading/read_timing_table.h"
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

// Geometry of the device; the number of channels is a parameter of the channel.
Geometry geometry_of(const FlashDeviceParameters& parameters);

// What a page of the flash takes, and how long the drive has to be fed when its power fails.
controller::PageTimes page_times_of(const FlashDeviceParameters& parameters);
controller::CapacityPlan capacity_plan_of(const FlashDeviceParameters& parameters);
controller::HoldUp hold_up_of(const FlashDeviceParameters& parameters);

// The table of read times that read-retries go by; null when they do not adapt their timing. Throws ConfigError when
// there is none for the cells.
std::shared_ptr<const controller::ReadTimingTable> read_timing_of(const FlashDeviceParameters& parameters);

// What a refresh policy needs to know of the drive, but for what the cells will do.
controller::RefreshContext refresh_facts(const FlashDeviceParameters& parameters, const nand::NandTiming& timing);

// What a write mode needs to know of a drive whose cells are ideal, or are not.
controller::WriteFacts write_facts(const FlashDeviceParameters& parameters, bool cells_have_errors, bool keeps_bytes);

// What contradicts what: each is a function that throws ConfigError. A FlashDevice is built of parameters that pass
// all.
using FlashDeviceCheck = void (*)(const FlashDeviceParameters&);
std::span<const FlashDeviceCheck> flash_device_checks();
// The same parameters, having passed all checks.
const FlashDeviceParameters& checked(const FlashDeviceParameters& parameters);

}  // namespace nandscape
