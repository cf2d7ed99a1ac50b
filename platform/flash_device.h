// SPDX-License-Identifier: Apache-2.0
// The device behind its front end: controller, channels with their ECC engines, dies.
#pragma once

#include <memory>
#include <vector>

#include "channel/channel_module.h"
#include "controller/controller_module.h"
#include "ecc/engine_module.h"
#include "nand/die_module.h"
#include "platform/flash_device_parameters.h"

namespace nandscape {

class FlashDevice {
 public:
  FlashDevice(const FlashDeviceParameters& parameters, bool keep_data, std::uint64_t seed, Calendar& calendar);

  Controller& controller() { return controller_->controller(); }
  const Controller& controller() const { return controller_->controller(); }

  DieCounters nand_counters() const;
  EccCounters ecc_counters() const;
  // Share of the time [0, now) in which the channels' buses were in use, the mean over the channels.
  double channel_busy_fraction(Tick now) const;

 private:
  const Geometry geometry_;
  const NandTiming nand_timing_;
  const BusTiming bus_timing_;
  std::unique_ptr<ControllerModule> controller_;
  std::vector<std::unique_ptr<ChannelModule>> channels_;
  std::vector<std::unique_ptr<EccEngineModule>> engines_;
  std::vector<std::unique_ptr<DieModule>> dies_;
};

}  // namespace nandscape
