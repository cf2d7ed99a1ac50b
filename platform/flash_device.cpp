// SPDX-License-Identifier: Apache-2.0
#include "platform/flash_device.h"

namespace nandscape {

FlashDevice::FlashDevice(const FlashDeviceParameters& p, bool keep_data, std::uint64_t seed, Calendar& calendar)
    : geometry_(geometry_of(p)), nand_timing_(p.nand), bus_timing_(p.channel, geometry_) {
  for (const FlashDeviceCheck check : flash_device_checks()) check(p);
  controller_ = std::make_unique<ControllerModule>("controller", p.controller, geometry_, p.ecc.codeword_bytes,
                                                   keep_data, seed, calendar);
  for (std::uint32_t c = 0; c < geometry_.channels; ++c) {
    const std::string channel = std::to_string(c);
    channels_.push_back(std::make_unique<ChannelModule>(("channel_" + channel).c_str(), calendar, bus_timing_,
                                                        geometry_.dies_per_channel()));
    controller_->channel_socket(c).bind(channels_[c]->socket);
    engines_.push_back(std::make_unique<EccEngineModule>(("ecc_" + channel).c_str(), calendar, p.ecc));
    controller_->ecc_socket(c).bind(engines_[c]->socket);
    for (std::uint32_t d = 0; d < geometry_.dies_per_channel(); ++d) {
      dies_.push_back(std::make_unique<DieModule>(("nand_" + channel + "_" + std::to_string(d)).c_str(), calendar,
                                                  geometry_, nand_timing_, keep_data));
      channels_[c]->die_socket(d).bind(dies_.back()->socket);
    }
  }
  const InitialFill& fill = controller().initial_fill();
  for (std::uint32_t plane = 0; plane < geometry_.planes(); ++plane) {
    Die& die = dies_[plane / geometry_.planes_per_die]->die();
    for (std::uint32_t block = 0; block < fill.used_blocks(PlaneId(plane)); ++block) {
      die.precondition(plane % geometry_.planes_per_die, block, geometry_.pages_per_block);
    }
  }
}

DieCounters FlashDevice::nand_counters() const {
  DieCounters sum;
  for (const auto& die : dies_) sum += die->die().counters();
  return sum;
}

EccCounters FlashDevice::ecc_counters() const {
  EccCounters sum;
  for (const auto& engine : engines_) sum += engine->counters();
  return sum;
}

double FlashDevice::channel_busy_fraction(Tick now) const {
  if (now == 0) return 0;
  double busy = 0;
  for (const auto& channel : channels_) busy += static_cast<double>(channel->counters().busy);
  return busy / (static_cast<double>(now) * geometry_.channels);
}

}  // namespace nandscape
