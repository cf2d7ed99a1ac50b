// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/machine.h"

namespace nandscape {

namespace {

// Queues, PRP lists and buffers; backed only where it is touched.
constexpr std::uint64_t host_memory_bytes = std::uint64_t{16} << 30;

}  // namespace

HostModule::HostModule(sc_core::sc_module_name name, const host::HostParameters& p, StorageDevice& device,
                       bool keep_data, Calendar& calendar, bool check_protocol)
    : sc_module(name),
      memory_(host_memory_bytes),
      driver_("driver", calendar, p.driver, memory_),
      memory_module_("memory", calendar, memory_, driver_.driver()),
      link_("link", calendar, p.link),
      nvme_("nvme", calendar, p.nvme, device, keep_data, p.link) {
  const auto connect = [&](auto& initiator, auto& target, const char* checker_name) {
    if (!check_protocol) {
      initiator.bind(target);
      return;
    }
    checkers_.push_back(std::make_unique<Checker>(checker_name));
    initiator.bind(checkers_.back()->target);
    checkers_.back()->initiator.bind(target);
  };
  connect(driver_.registers, link_.registers_in, "checker_registers_in");
  connect(link_.registers_out, nvme_.registers, "checker_registers_out");
  connect(nvme_.dma, link_.dma_in, "checker_dma_in");
  connect(link_.dma_out, memory_module_.target, "checker_dma_out");
}

Machine::Machine(const PlatformParameters& p, const DriveFactory& make_drive, Calendar& calendar,
                 controller::StartUp start_up)
    : calendar_("calendar", calendar, ticks_from_us(p.simulation.quantum_us)),
      drive_(make_drive(p, calendar, start_up)),
      host_("host", p.host, drive_->storage(), p.simulation.data == DataFidelity::stored, calendar,
            p.simulation.check_protocol) {}

}  // namespace nandscape
