// SPDX-License-Identifier: Apache-2.0
// The wiring: a host with its driver, memory and link, and the drive behind them.
//
//   driver --registers--> link --> NVMe controller --(protocol/storage.h)--> controller --> channels --> dies
//   host memory <--dma--- link <--'                                                    '--> ECC engines
#pragma once

#include <memory>
#include <vector>

#include "host/driver/driver_module.h"
#include "host/memory/host_memory.h"
#include "host/memory/host_memory_module.h"
#include "host/nvme/nvme_module.h"
#include "host/pcie/pcie_link_module.h"
#include "platform/calendar_module.h"
#include "platform/flash_device.h"
#include "platform/parameters.h"
#include "protocol/protocol_checker.h"

namespace nandscape {

class HostModule final : public sc_core::sc_module {
 public:
  HostModule(sc_core::sc_module_name name, const HostParameters& parameters, StorageDevice& device, bool keep_data,
             Calendar& calendar, bool check_protocol);

  Driver& driver() { return driver_.driver(); }
  const NvmeController& nvme() const { return nvme_.controller(); }
  const PcieLink& link() const { return link_.link(); }

 private:
  HostMemory memory_;
  DriverModule driver_;
  HostMemoryModule memory_module_;
  PcieLinkModule link_;
  NvmeModule nvme_;
  using Checker = ProtocolChecker<tlm::tlm_base_protocol_types>;
  std::vector<std::unique_ptr<Checker>> checkers_;
};

class Machine {
 public:
  Machine(const PlatformParameters& parameters, Calendar& calendar);

  CalendarModule& calendar() { return calendar_; }
  FlashDevice& flash() { return flash_; }
  const FlashDevice& flash() const { return flash_; }
  HostModule& host() { return host_; }
  const HostModule& host() const { return host_; }

 private:
  CalendarModule calendar_;
  FlashDevice flash_;
  HostModule host_;
};

}  // namespace nandscape
