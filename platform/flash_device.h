// SPDX-License-Identifier: Apache-2.0
// The device behind its front end: controller, channels with their ECC engines, dies.
#pragma once

#include <memory>
#include <vector>

#include "channel/channel_module.h"
#include "channel/parameters.h"
#include "controller/controller_module.h"
#include "ecc/engine_module.h"
#include "ecc/parameters.h"
#include "nand/die_module.h"
#include "nand/parameters.h"

namespace nandscape {

struct FlashDeviceParameters {
  ControllerParameters controller;
  EccParameters ecc;
  ChannelParameters channel;
  NandParameters nand;
};

// Geometry of the device; the number of channels is a parameter of the channel.
Geometry geometry_of(const FlashDeviceParameters& parameters);

class FlashDevice final : public sc_core::sc_module {
 public:
  FlashDevice(sc_core::sc_module_name name, const FlashDeviceParameters& parameters, bool keep_data,
              std::uint64_t seed, Calendar& calendar);

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
