// SPDX-License-Identifier: Apache-2.0
// Connects the parts of the platform: a host with its driver, memory and link, and the drive behind the link.
//
//   driver --registers--> link --> NVMe controller --(protocol/storage.h)--> firmware, cache --> controller
//   host memory <--dma--- link <--'                                          controller --> channels --> dies
//                                                                                       '--> ECC engines
#pragma once

#include <memory>
#include <string>

#include "host/pcie/pcie_link_module.h"
#include "platform/blocks/drive.h"
#include "platform/blocks/front_end_block.h"
#include "platform/blocks/host_block.h"
#include "platform/config/parameters.h"
#include "platform/wiring/calendar_module.h"
#include "platform/wiring/links.h"
#include "platform/wiring/power_monitor.h"
#include "protocol/command_times.h"

namespace nandscape {

class HostModule final : public sc_core::sc_module {
 public:
  HostModule(sc_core::sc_module_name name, const PlatformParameters& parameters, Drive& drive, Calendar& calendar);

  // Returns null if the host is external.
  host::Driver* driver() const { return host_->driver(); }
  // Returns null unless the host is in another program.
  PciPort* pci_port() const { return host_->pci_port(); }
  FrontEndBlock& front_end() { return *front_end_; }
  const FrontEndBlock& front_end() const { return *front_end_; }
  const host::PcieLink& link() const { return link_.link(); }

  // Report the lookahead and the work in progress of the host and the front end (platform/blocks/block.h).
  Tick lookahead() const;
  bool at_work() const { return !host_->done() || host_->at_work() || front_end_->at_work() || links_.busy(); }
  std::string under_way() const;
  // Throws RequestError if the host or the front end cannot save its state for a checkpoint.
  void check_persistent() const;

  // Saves or restores the non-volatile state of the front end, and the counters of the link and the front end.
  void persist(Archive& archive, Tick now) {
    link_.persist_counters(archive);
    front_end_->persist_lasting(archive, now);
  }

 private:
  const BlockChoices blocks_;
  const std::unique_ptr<CommandTimes> times_;  // null without simulation.breakdown
  const std::unique_ptr<HostBlock> host_;
  host::PcieLinkModule link_;
  const std::unique_ptr<FrontEndBlock> front_end_;
  Links links_;
};

class Machine {
 public:
  // If `timeline` is null, no timeline is recorded.
  Machine(const PlatformParameters& parameters, Calendar& calendar, controller::StartUp start_up, Timeline* timeline);

  CalendarModule& calendar() { return calendar_; }
  // Whether events use SystemC: foreign modules, protocol checkers and the monitors of a timeline ask for its time.
  bool events_use_kernel() const { return events_use_kernel_; }
  Drive& drive() { return *drive_; }
  const Drive& drive() const { return *drive_; }
  PowerMonitor& power() { return power_; }
  const PowerMonitor& power() const { return power_; }
  HostModule& host() { return host_; }
  const HostModule& host() const { return host_; }

 private:
  CalendarModule calendar_;
  const std::unique_ptr<Drive> drive_;
  HostModule host_;
  PowerMonitor power_;
  bool events_use_kernel_;
};

}  // namespace nandscape
