// SPDX-License-Identifier: Apache-2.0
// Connects our own NVMe host to nandscape's link, front end and drive. Prints the driver's steps and their times, then
// makes the same accesses with nandscape's driver. Fails if any latency differs. at and lt are TLM coding styles.
//
//   nvme_host at|lt [quantum_us [configuration]]
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "dma_memory.h"
#include "host/nvme/nvme_module.h"
#include "host/pcie/pcie_link_module.h"
#include "io_sequence.h"
#include "nvme_driver.h"
#include "platform/blocks/drive.h"
#include "platform/config/configuration.h"
#include "platform/config/data_folder.h"
#include "platform/simulation/simulation.h"
#include "platform/wiring/calendar_module.h"
#include "processor.h"
#include "protocol/protocol_checker.h"

namespace {

using namespace nandscape;

// Connects sockets with a protocol checker between them, and owns the checkers.
class Checkers {
 public:
  template <class Initiator, class Target>
  void connect(Initiator& initiator, Target& target) {
    checkers_.push_back(std::make_unique<ProtocolChecker<>>(sc_core::sc_gen_unique_name("checker")));
    initiator.bind(checkers_.back()->target);
    checkers_.back()->initiator.bind(target);
  }

 private:
  std::vector<std::unique_ptr<ProtocolChecker<>>> checkers_;
};

std::unique_ptr<Processor> make_processor(const std::string& style) {
  if (style == "at") return std::make_unique<ApproximatelyTimed>("processor");
  if (style == "lt") return std::make_unique<LooselyTimed>("processor");
  throw ConfigError({}, "", "the style is '" + style + "'; it is at or lt");
}

// Returns the latencies with nandscape's driver. Each access begins after the time that our driver needs to build it.
std::vector<Tick> latencies_of_own_driver(const Configuration& configuration) {
  Simulation simulation(configuration);
  simulation.flush();  // waits until the controller is ready
  std::vector<Tick> latencies;
  for (const Access& access : io_sequence) {
    std::vector<std::byte> data(access.bytes);
    simulation.run_until(simulation.now() + to_ticks(NvmeDriver::command_time()));
    switch (access.opcode) {
      case nvme::IoOpcode::write:
        fill_pattern(access, data.data());
        latencies.push_back(simulation.write(access.lba, data));
        break;
      case nvme::IoOpcode::read: latencies.push_back(simulation.read(access.lba, data)); break;
      default: latencies.push_back(simulation.flush());
    }
  }
  return latencies;
}

int run(const std::string& style, Tick quantum, const std::string& file) {
  set_data_folder(NANDSCAPE_DATA_FOLDER);
  const Configuration configuration = load_configuration(file);
  const PlatformParameters& p = configuration.parameters;

  tlm::tlm_global_quantum::instance().set(to_sc_time(quantum));
  Calendar calendar;
  CalendarModule calendar_driver("calendar", calendar, quantum);
  calendar_driver.limit_lookahead(0);  // no lookahead, since the processor may call at any time
  const std::unique_ptr<Drive> drive =
      drives().make(p.simulation.blocks.drive.kind, {p, calendar, controller::StartUp::as_preconditioned});
  host::PcieLinkModule link("link", calendar, p.host.link);
  host::NvmeModule front_end("nvme", calendar, p.host.nvme, drive->storage(), true);

  const std::unique_ptr<Processor> processor = make_processor(style);
  DmaMemory memory("memory", std::size_t{1} << 20);
  NvmeDriver driver("driver", *processor, memory);

  Checkers checkers;
  checkers.connect(processor->socket, link.registers_in);
  checkers.connect(link.registers_out, front_end.registers);
  checkers.connect(front_end.dma, link.dma_in);
  checkers.connect(link.dma_out, memory.socket);

  sc_core::sc_start(to_sc_time(second));

  for (const NvmeDriver::Event& event : driver.events()) {
    std::printf("%14llu ps  %s\n", static_cast<unsigned long long>(event.at.value()), event.what.c_str());
  }
  if (!driver.finished() || !driver.data_right()) {
    std::puts(driver.finished() ? "What was read is not what was written." : "The driver has not come to its end.");
    return 1;
  }
  std::printf("\n%-24s %14s %14s\n", "latency in ps", "this driver", "nandscape's");
  const std::vector<Tick> own = latencies_of_own_driver(configuration);
  bool same = true;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const Tick latency = to_ticks(driver.latencies().at(k));
    same = same && latency == own[k];
    std::printf("%-24s %14llu %14llu\n", text_of(io_sequence[k]).c_str(), static_cast<unsigned long long>(latency),
                static_cast<unsigned long long>(own[k]));
  }
  std::puts(same ? "The same ticks." : "The latencies differ.");
  return same ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : "at", ticks_from_us(argc > 2 ? std::atof(argv[2]) : 1000),
               argc > 3 ? argv[3] : "drive.yaml");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nvme_host: %s\n", error.what());
    return 1;
  }
}
