// SPDX-License-Identifier: Apache-2.0
#include "platform/flash_device.h"

namespace nandscape {

FlashDevice::FlashDevice(const FlashDeviceParameters& p, bool keep_data, CellFidelity cells, std::uint64_t seed,
                         Calendar& calendar, bool check_protocol)
    : geometry_(geometry_of(p)),
      nand_timing_(p.nand),
      bus_timing_(p.channel, geometry_),
      cell_device_(cells == CellFidelity::ideal ? nullptr : std::make_unique<CellDevice>(p.nand, p.ecc.codeword_bytes)),
      check_protocol_(check_protocol) {
  for (const FlashDeviceCheck check : flash_device_checks()) check(p);
  controller_ = std::make_unique<ControllerModule>(
      "controller", p.controller, geometry_, p.ecc.codeword_bytes,
      cells == CellFidelity::ideal ? 0 : p.nand.cells.read_levels.retry_steps, keep_data, seed, calendar);
  for (std::uint32_t c = 0; c < geometry_.channels; ++c) {
    const std::string channel = std::to_string(c);
    channels_.push_back(std::make_unique<ChannelModule>(("channel_" + channel).c_str(), calendar, bus_timing_,
                                                        p.channel.arbitration, geometry_.dies_per_channel()));
    connect(controller_->channel_socket(c), channels_[c]->socket, "checker_channel_" + channel, command_checkers_);
    engines_.push_back(std::make_unique<EccEngineModule>(("ecc_" + channel).c_str(), calendar, p.ecc));
    connect(controller_->ecc_socket(c), engines_[c]->socket, "checker_ecc_" + channel, job_checkers_);
    for (std::uint32_t d = 0; d < geometry_.dies_per_channel(); ++d) {
      const std::string die = "nand_" + channel + "_" + std::to_string(d);
      cells_.push_back(cell_device_ == nullptr ? nullptr : make_cells(cells, *cell_device_, seed, die));
      dies_.push_back(
          std::make_unique<DieModule>(die.c_str(), calendar, geometry_, nand_timing_, keep_data, cells_.back().get()));
      connect(channels_[c]->die_socket(d), dies_.back()->socket, "checker_" + die, command_checkers_);
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

template <class Job>
void FlashDevice::connect(JobInitiatorSocket<Job>& initiator, JobTargetSocket<Job>& target, const std::string& name,
                          Checkers<Job>& checkers) {
  if (!check_protocol_) {
    initiator.bind(target);
    return;
  }
  checkers.push_back(std::make_unique<ProtocolChecker<JobProtocol<Job>>>(name.c_str()));
  initiator.bind(checkers.back()->target);
  checkers.back()->initiator.bind(target);
}

std::string FlashDevice::outstanding_transactions() const {
  std::string histories;
  for (const auto& checker : command_checkers_) histories += checker->outstanding_histories();
  for (const auto& checker : job_checkers_) histories += checker->outstanding_histories();
  return histories;
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
