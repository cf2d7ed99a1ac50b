// SPDX-License-Identifier: Apache-2.0
// The wiring: a host with its driver, memory and link, and the drive behind them.
//
//   driver --registers--> link --> NVMe controller --(protocol/storage.h)--> firmware, cache --> controller
//   host memory <--dma--- link <--'                                          controller --> channels --> dies
//                                                                                       '--> ECC engines
#pragma once

#include <memory>
#include <vector>

#include "host/driver/driver_module.h"
#include "host/memory/host_memory.h"
#include "host/memory/host_memory_module.h"
#include "host/nvme/nvme_module.h"
#include "host/pcie/pcie_link_module.h"
#include "platform/config/parameters.h"
#include "platform/wiring/calendar_module.h"
#include "platform/wiring/drive.h"
#include "protocol/protocol_checker.h"

namespace nandscape {

class HostModule final : public sc_core::sc_module {
 public:
  HostModule(sc_core::sc_module_name name, const host::HostParameters& parameters, StorageDevice& device,
             bool keep_data, Calendar& calendar, bool check_protocol);

  host::Driver& driver() { return driver_.driver(); }
  const host::Driver& driver() const { return driver_.driver(); }
  host::NvmeController& nvme() { return nvme_.controller(); }
  const host::NvmeController& nvme() const { return nvme_.controller(); }
  const host::PcieLink& link() const { return link_.link(); }

  // What outlives a power cycle of the drive's front end, and what was counted.
  void persist(Archive& archive, Tick now) {
    link_.persist_counters(archive);
    nvme_.controller().persist(archive, now);
  }

 private:
  host::HostMemory memory_;
  host::DriverModule driver_;
  host::HostMemoryModule memory_module_;
  host::PcieLinkModule link_;
  host::NvmeModule nvme_;
  using Checker = ProtocolChecker<tlm::tlm_base_protocol_types>;
  std::vector<std::unique_ptr<Checker>> checkers_;
};

class Machine {
 public:
  Machine(const PlatformParameters& parameters, const DriveFactory& make_drive, Calendar& calendar,
          controller::StartUp start_up);

  CalendarModule& calendar() { return calendar_; }
  Drive& drive() { return *drive_; }
  const Drive& drive() const { return *drive_; }
  HostModule& host() { return host_; }
  const HostModule& host() const { return host_; }

 private:
  CalendarModule calendar_;
  const std::unique_ptr<Drive> drive_;
  HostModule host_;
};

}  // namespace nandscape
