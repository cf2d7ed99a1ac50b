// SPDX-License-Identifier: Apache-2.0
// Tests content engines that come from plug-ins, in a drive whose writes they make faster.
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "platform/config/configuration.h"
#include "platform/config/yaml_reader.h"
#include "platform/simulation/simulation.h"

namespace nandscape {
namespace {

const std::string folder = NANDSCAPE_PLUGIN_FOLDER;

const std::string device = R"(
extends: bare
controller: {mapping: {over_provisioning: 0.7}, write_mode: {by_content: true}}
channel: {count: 2, rate_mt_s: 200}
ecc: {codeword_bytes: 4096, correctable_bits: 55, scrambler: false}
host: {workload: {requests: 200, read_percent: 0, block_bytes: 8192, queue_depth: 8}}
nand:
  coding: mlc_13
  cells: {set: mlc_planar_15k}
  timing: {program: ispp}
  geometry: {chips_per_channel: 1, dies_per_chip: 1, planes_per_die: 2, blocks_per_plane: 16, pages_per_block: 24,
             page_bytes: 4096, spare_bytes: 544}
)";

using Keys = std::vector<std::string>;

Configuration configuration(const Keys& keys) {
  std::vector<Override> overrides;
  for (const std::string& key : keys) overrides.push_back(parse_override(key));
  return resolve_configuration(read_yaml(device, {"device", 0}), overrides);
}

std::pair<Tick, std::string> run(const Keys& keys) {
  Simulation simulation(configuration(keys));
  simulation.run();
  Value statistics = simulation.statistics();
  std::erase_if(*statistics.map_items(), [](const auto& entry) { return entry.first == "simulation"; });
  return {simulation.now(), statistics.to_json()};
}

const std::string plugin = "controller.content.plugin=" + folder + "content.so";

}  // namespace

TEST_CASE("plug-in content engines: nandscape's own equations give the same results in a plug-in") {
  for (const std::string data : {"simulation.data=none", "simulation.data=stored"}) {
    for (const std::string mapping : {"false", "true"}) {
      const std::string mapped = "controller.content.state_mapping=" + mapping;
      const auto exact = run({data, mapped, "controller.content.bound=exact"});
      CHECK(exact == run({data, mapped, plugin}));
      if (data == "simulation.data=none") {
        CHECK(exact.first < run({data, mapped, plugin, "controller.content.plugin_options=slow"}).first);
      }
    }
  }
}

TEST_CASE("plug-in content engines: the errors for invalid steps and for exceptions name the plug-in") {
  const std::string misbehaving = "controller.content.plugin=" + folder + "misbehaving.so";
  CHECK_THROWS_WITH(run({misbehaving}),
                    ContainsSubstring("misbehaving.so: the plug-in returned step 1000 from step()"));
  CHECK_THROWS_WITH(run({misbehaving, "controller.content.plugin_options=throw in step"}),
                    ContainsSubstring("exception in step(): no stairs"));
}

TEST_CASE("plug-in content engines: a plug-in without one is refused with the key") {
  CHECK_THROWS_WITH(configuration({"controller.content.plugin=" + folder + "hamming.so"}),
                    ContainsSubstring("controller.content.plugin: ") && ContainsSubstring("offers no content engine"));
}

}  // namespace nandscape
