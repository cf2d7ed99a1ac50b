// SPDX-License-Identifier: Apache-2.0
// Fuzz test: corrupts the state inside a checkpoint and restores it. Restoring must either throw an error or produce a
// simulation that runs. The first input byte selects one of several small drives. The rest describes changes to its
// state, each by a position, a kind of change, and bytes. The state is changed in memory and not in a checkpoint file,
// because the checksum of the file would reject nearly every change.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "byte_source.h"
#include "core/error.h"
#include "platform/config/configuration.h"
#include "platform/simulation/checkpoint_file.h"
#include "platform/simulation/simulation.h"

namespace nandscape {
namespace {

constexpr std::size_t page_bytes = 2048;

struct SavedDrive {
  Configuration configuration;
  std::vector<std::byte> state;
};

SavedDrive saved_drive(const std::vector<std::string>& assignments) {
  std::vector<Override> overrides;
  for (const char* assignment :
       {"channel.count=1", "nand.geometry.chips_per_channel=1", "nand.geometry.dies_per_chip=1",
        "nand.geometry.planes_per_die=1", "nand.geometry.blocks_per_plane=16", "nand.geometry.pages_per_block=12",
        "nand.geometry.page_bytes=2048", "nand.geometry.spare_bytes=256", "controller.mapping.over_provisioning=1.5",
        "simulation.data=stored", "host.workload.requests=20"}) {
    overrides.push_back(parse_override(assignment));
  }
  for (const std::string& assignment : assignments) overrides.push_back(parse_override(assignment));
  SavedDrive saved{load_configuration("bare", overrides), {}};
  Simulation drive(saved.configuration);
  for (std::uint64_t k = 0; k < 40; ++k) {
    const std::vector<std::byte> page(page_bytes, static_cast<std::byte>(k));
    drive.write(4 * (k % 12), page);
  }
  drive.trim(0, 4);
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string file = (folder / ("nandscape-fuzz-" + std::to_string(getpid()))).string();
  drive.checkpoint(file);
  saved.state = load_checkpoint_file(file).state;
  std::filesystem::remove(file);
  return saved;
}

// Returns several small drives. They use different options, so that each drive has state that the others do not have.
const std::vector<SavedDrive>& saved_drives() {
  static const std::vector<SavedDrive> drives = {
      saved_drive({}),
      saved_drive({"simulation.cells=statistical", "nand.condition.pe_cycles=1500", "simulation.request_log=true",
                   "controller.cache.policy=read_write", "controller.cache.capacity_bytes=65536",
                   "controller.streams={policy: hot_cold}", "controller.mapping.cache_bytes=8192",
                   "controller.garbage_collection.policy=random"}),
      saved_drive({"nand.geometry.dies_per_chip=2", "controller.parity.stripe_dies=2",
                   "controller.refresh={policy: period, period_days: 10}", "controller.read_disturb.limit_reads=50",
                   "controller.power_loss.protection=capacitor", "controller.scheduler.policy=flin"}),
  };
  return drives;
}

void change(std::vector<std::byte>& state, ByteSource& bytes) {
  const std::size_t place = bytes.take<std::uint32_t>() % (state.size() + 1);
  const std::uint8_t how = bytes.take<std::uint8_t>();
  const auto at = state.begin() + static_cast<std::ptrdiff_t>(place);
  if (how % 8 == 0) {
    state.erase(at, state.begin() + static_cast<std::ptrdiff_t>(std::min(state.size(), place + bytes.below(64))));
  } else if (how % 8 == 1) {
    state.insert(at, bytes.below(64), bytes.take<std::byte>());
  } else {
    for (std::size_t k = 0; k < std::size_t{how} % 8 && place + k < state.size(); ++k) {
      state[place + k] = bytes.take<std::byte>();
    }
  }
}

void use(Simulation& drive) {
  std::vector<std::byte> page(page_bytes);
  for (const std::uint64_t lba : {0, 4, 40}) {
    try {
      drive.read(lba, page);
    } catch (const RequestError&) {
      continue;  // a read may fail, for example if the page was lost
    }
  }
  drive.write(8, page);
  drive.flush();
  static_cast<void>(drive.statistics());
}

}  // namespace
}  // namespace nandscape

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nandscape;
  ByteSource bytes(data, size);
  const SavedDrive& saved = saved_drives()[bytes.take<std::uint8_t>() % saved_drives().size()];
  std::vector<std::byte> state = saved.state;
  while (!bytes.empty()) change(state, bytes);
  try {
    Simulation drive = Simulation::restore(saved.configuration, state);
    use(drive);
  } catch (const Error&) {
  }
  return 0;
}
