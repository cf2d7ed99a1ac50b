// SPDX-License-Identifier: Apache-2.0
// Runs the same workload on two drives: one with our own ECC engine (threaded_engine.h), one with nandscape's. Prints
// the latencies that the host measures. Fails unless both drives complete every request at the same time.
//
//   ecc_engine [quantum_us [configuration]]
#include <cstdio>
#include <exception>
#include <string>

#include "platform/config/configuration.h"
#include "platform/config/data_folder.h"
#include "platform/simulation/simulation.h"
#include "threaded_engine.h"

namespace {

using namespace nandscape;

RequestLog run(const std::string& file, const std::string& quantum_us, const std::string& engine) {
  Simulation simulation(load_configuration(file, {parse_override("simulation.quantum_us=" + quantum_us),
                                                  parse_override("simulation.blocks.ecc_engine.kind=" + engine)}));
  simulation.run();
  const Value statistics = simulation.statistics();
  std::printf("%-9s %6.0f requests, mean read %8.3f us, mean write %8.3f us, end at %14llu ps\n", engine.c_str(),
              statistics.at("host.all.count").number(), statistics.at("host.read.latency_us.mean").number(),
              statistics.at("host.write.latency_us.mean").number(), static_cast<unsigned long long>(simulation.now()));
  return simulation.requests();
}

int compare(const std::string& quantum_us, const std::string& file) {
  set_data_folder(NANDSCAPE_DATA_FOLDER);
  ecc_engine_blocks().add<ThreadedEngine>("threaded", "an engine whose encoder and decoder are SC_THREADs");
  const RequestLog theirs = run(file, quantum_us, "built_in");
  const RequestLog ours = run(file, quantum_us, "threaded");
  const bool same = ours.start == theirs.start && ours.latency == theirs.latency;
  std::puts(same ? "The same ticks." : "The ticks differ.");
  return same ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    return compare(argc > 1 ? argv[1] : "1000", argc > 2 ? argv[2] : "drive.yaml");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ecc_engine: %s\n", error.what());
    return 1;
  }
}
