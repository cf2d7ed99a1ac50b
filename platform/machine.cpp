// SPDX-License-Identifier: Apache-2.0
#include "platform/machine.h"

namespace nandscape {

namespace {

// Queues, PRP lists and buffers; backed only where it is touched.
constexpr std::uint64_t host_memory_bytes = std::uint64_t{16} << 30;

}  // namespace

HostModule::HostModule(sc_core::sc_module_name name, const HostParameters& p, StorageDevice& device, bool keep_data,
                       Calendar& calendar)
    : sc_module(name),
      memory_(host_memory_bytes),
      driver_("driver", calendar, p.driver, memory_),
      memory_module_("memory", calendar, memory_, driver_.driver()),
      link_("link", calendar, p.link),
      nvme_("nvme", calendar, p.nvme, device, keep_data) {
  driver_.registers.bind(link_.registers_in);
  link_.registers_out.bind(nvme_.registers);
  nvme_.dma.bind(link_.dma_in);
  link_.dma_out.bind(memory_module_.target);
}

Machine::Machine(const PlatformParameters& p, Calendar& calendar)
    : calendar_("calendar", calendar, ticks_from_us(p.simulation.quantum_us)),
      flash_(p, p.simulation.data == DataFidelity::stored, p.simulation.seed, calendar),
      host_("host", p.host, flash_.controller(), p.simulation.data == DataFidelity::stored, calendar) {}

}  // namespace nandscape
