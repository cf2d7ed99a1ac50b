// SPDX-License-Identifier: Apache-2.0
// The device behind its front end: controller, channels with their ECC engines, dies.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "channel/channel_module.h"
#include "controller/controller_module.h"
#include "ecc/engine_module.h"
#include "ecc/page_coders/page_coder.h"
#include "nand/cell_fidelity.h"
#include "nand/die_module.h"
#include "platform/flash_device_parameters.h"
#include "protocol/protocol_checker.h"

namespace nandscape {

class FlashDevice {
 public:
  // With check_protocol, a checker sits in every link; a block that breaks the protocol throws a ProtocolError.
  FlashDevice(const FlashDeviceParameters& parameters, bool keep_data, CellFidelity cells, std::uint64_t seed,
              Calendar& calendar, bool check_protocol = false);

  Controller& controller() { return controller_->controller(); }
  const Controller& controller() const { return controller_->controller(); }

  DieCounters nand_counters() const;
  EccCounters ecc_counters() const;
  // Share of the time [0, now) in which the channels' buses were in use, the mean over the channels.
  double channel_busy_fraction(Tick now) const;
  // With check_protocol: histories of the transactions that are on a link; empty when the device is idle.
  std::string outstanding_transactions() const;

 private:
  std::unique_ptr<PageCoder> make_coder(const EccParameters& ecc, std::uint64_t seed, const std::string& engine) const;
  // Of the die whose page 0 is `first`; null when no data are kept.
  std::unique_ptr<PageStore> make_store(const EccParameters& ecc, Ppn first) const;

  template <class Job>
  using Checkers = std::vector<std::unique_ptr<ProtocolChecker<JobProtocol<Job>>>>;

  // Binds the sockets to each other; with check_protocol, through a checker of that name.
  template <class Job>
  void connect(JobInitiatorSocket<Job>& initiator, JobTargetSocket<Job>& target, const std::string& name,
               Checkers<Job>& checkers);

  const Geometry geometry_;
  const NandTiming nand_timing_;
  const BusTiming bus_timing_;
  const DataPath path_;
  const std::shared_ptr<const CodeTable> code_table_;  // null unless the decoder goes by it
  const std::unique_ptr<CellDevice> cell_device_;      // null when cells are ideal
  const bool check_protocol_;
  std::unique_ptr<ControllerModule> controller_;
  std::vector<std::unique_ptr<ChannelModule>> channels_;
  std::vector<std::unique_ptr<EccEngineModule>> engines_;
  std::vector<std::unique_ptr<CellArray>> cells_;  // by die
  std::vector<std::unique_ptr<DieModule>> dies_;
  Checkers<NandCommand> command_checkers_;
  Checkers<EccJob> job_checkers_;
};

}  // namespace nandscape
