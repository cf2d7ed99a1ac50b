// SPDX-License-Identifier: Apache-2.0
// A test bench with the host side wired as in a whole simulation, in front of a fake storage device. It runs in its own
// SystemC context.
#pragma once

#include <systemc>

#include "core/calendar.h"
#include "fakes/fake_storage.h"
#include "host/driver/driver_module.h"
#include "host/memory/host_memory_module.h"
#include "host/nvme/nvme_module.h"
#include "host/pcie/pcie_link_module.h"

namespace nandscape::host {

// Makes a new SystemC simulation context the current one as long as this object exists.
class KernelContext {
 public:
  KernelContext() {
    sc_core::sc_get_curr_simcontext();  // the default context must exist first
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
    // The bench only elaborates modules and runs no SystemC process, so SystemC must not warn about this.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
    previous_ = std::exchange(sc_core::sc_curr_simcontext, new sc_core::sc_simcontext);
  }
  ~KernelContext() {
    delete sc_core::sc_curr_simcontext;
    sc_core::sc_curr_simcontext = previous_;
  }
  KernelContext(const KernelContext&) = delete;
  KernelContext& operator=(const KernelContext&) = delete;

 private:
  sc_core::sc_simcontext* previous_;
};

struct HostBenchSettings {
  PcieLinkParameters link;
  NvmeParameters nvme;
  DriverParameters driver;
  std::uint64_t pages = 1 << 16;
  std::uint32_t page_bytes = 16384;
  Tick latency = 90 * microsecond;
  bool keep_data = true;
};

struct HostBench {
  explicit HostBench(const HostBenchSettings& s = {})
      : device(calendar, s.page_bytes, s.pages, 1, s.latency),
        driver("driver", calendar, s.driver, memory),
        link("link", calendar, s.link),
        nvme("nvme", calendar, s.nvme, device, s.keep_data),
        host_memory("host_memory", calendar, memory, driver.driver()) {
    driver.registers.bind(link.registers_in);
    link.registers_out.bind(nvme.registers);
    nvme.dma.bind(link.dma_in);
    link.dma_out.bind(host_memory.target);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  // Lets the driver start the controller.
  void start() {
    driver.driver().start();
    run_for(10 * millisecond);
  }
  void run_for(Tick duration) {
    const Tick end = calendar.now() + duration;
    calendar.run_until(end);
    calendar.advance(end);
  }

  KernelContext context;
  Calendar calendar;
  HostMemory memory{std::uint64_t{64} << 30};
  FakeStorage device;
  DriverModule driver;
  PcieLinkModule link;
  NvmeModule nvme;
  HostMemoryModule host_memory;
};

}  // namespace nandscape::host
