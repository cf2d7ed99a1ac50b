// SPDX-License-Identifier: Apache-2.0
// Any change of the bytes of a checkpoint, with its checksum made right again: a simulation that goes on, or an error.
// The input is a list of changes of the state of one small drive: a place, how, and bytes.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "byte_source.h"
#include "core/error.h"
#include "platform/checkpoint_file.h"
#include "platform/configuration.h"
#include "platform/simulation.h"

namespace nandscape {
namespace {

constexpr std::size_t page_bytes = 16384;

std::string file_name() {
  const std::filesystem::path memory = "/dev/shm";
  const auto folder = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
  return (folder / ("nandscape-fuzz-" + std::to_string(getpid()))).string();
}

CheckpointFile saved_drive() {
  std::vector<Override> overrides;
  for (const char* assignment :
       {"channel.count=1", "nand.geometry.chips_per_channel=1", "nand.geometry.dies_per_chip=1",
        "nand.geometry.blocks_per_plane=16", "nand.geometry.pages_per_block=12",
        "controller.mapping.over_provisioning=0.6", "simulation.data=stored", "host.workload.requests=50"}) {
    overrides.push_back(parse_override(assignment));
  }
  Simulation drive(load_configuration("bare", overrides));
  for (int k = 0; k < 40; ++k) {
    const std::vector<std::byte> page(page_bytes, static_cast<std::byte>(k));
    drive.write(32 * static_cast<std::uint64_t>(k % 12), page);
  }
  drive.trim(0, 32);
  const std::string file = file_name();
  drive.checkpoint(file);
  CheckpointFile saved = load_checkpoint_file(file);
  std::filesystem::remove(file);
  return saved;
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

void use(const std::string& file) {
  Simulation drive = Simulation::restore(file);
  std::vector<std::byte> page(page_bytes);
  for (const std::uint64_t lba : {0, 32, 320}) {
    try {
      drive.read(lba, page);
    } catch (const RequestError&) {
      continue;  // a lost page, say
    }
  }
  drive.write(64, page);
  drive.flush();
  static_cast<void>(drive.statistics());
}

}  // namespace
}  // namespace nandscape

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nandscape;
  static const CheckpointFile saved = saved_drive();
  static const std::string file = file_name();
  std::vector<std::byte> state = saved.state;
  for (ByteSource bytes(data, size); !bytes.empty();) change(state, bytes);
  save_checkpoint_file(file, saved.configuration, state);
  try {
    use(file);
  } catch (const Error&) {
  }
  std::filesystem::remove(file);
  return 0;
}
