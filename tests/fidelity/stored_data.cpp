// SPDX-License-Identifier: Apache-2.0
// What is written through the whole machine is what is read from it, in whatever sizes and places, while garbage is
// collected, beside a table of what each sector must hold.
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "protocol/storage.h"
#include "scenario.h"

namespace nandscape {
namespace {

// 12 MiB of flash. Pages are smaller than many requests and larger than others.
const std::string device = R"(
simulation: {data: stored, request_log: false}
host: {nvme: {max_transfer_kib: 64}}
controller:
  mapping: {over_provisioning: 0.25}
  precondition: {occupancy: 0}
channel: {count: 2}
ecc: {codeword_bytes: 1024}
nand:
  geometry: {chips_per_channel: 1, dies_per_chip: 1, planes_per_die: 2, blocks_per_plane: 32, pages_per_block: 12,
             page_bytes: 8192, spare_bytes: 512}
)";
constexpr std::uint64_t page_sectors = 16;

// A device and the version of the data of each sector in a part of it; 0 is what never was written, or was trimmed.
class CheckedDevice {
 public:
  CheckedDevice(Simulation& simulation, std::uint64_t sectors)
      : simulation_(simulation), versions_(sectors), random_(11, "stored data") {}

  void write(std::uint64_t lba, std::uint64_t sectors) {
    data_.resize(sectors * sector_bytes);
    ++latest_;
    for (std::uint64_t k = 0; k < sectors; ++k) {
      versions_[lba + k] = latest_;
      fill(std::span(data_).subspan(k * sector_bytes, sector_bytes), lba + k);
    }
    simulation_.write(lba, data_);
  }

  // How many of the sectors read hold something else than they should.
  std::uint64_t read(std::uint64_t lba, std::uint64_t sectors) {
    // Bytes that are not read over must not look right.
    data_.assign(sectors * sector_bytes, std::byte{0xa5});
    simulation_.read(lba, data_);
    std::uint64_t wrong = 0;
    std::array<std::byte, sector_bytes> expected;
    for (std::uint64_t k = 0; k < sectors; ++k) {
      fill(expected, lba + k);
      wrong += std::memcmp(expected.data(), data_.data() + k * sector_bytes, sector_bytes) != 0;
    }
    return wrong;
  }

  // Whole pages lose their data; parts of pages at both ends stay as they are.
  void trim(std::uint64_t lba, std::uint64_t sectors) {
    simulation_.trim(lba, sectors);
    const std::uint64_t first = (lba + page_sectors - 1) / page_sectors * page_sectors;
    const std::uint64_t end = (lba + sectors) / page_sectors * page_sectors;
    for (std::uint64_t k = first; k < end; ++k) versions_[k] = 0;
  }

  // One command drawn at random; the sectors found wrong.
  std::uint64_t random_command() {
    // Up to 96 KiB: a few whole pages, many parts of one, some more than one NVMe command can carry.
    const std::uint64_t longest = random_.below(4) == 0 ? 192 : 24;
    const std::uint64_t sectors = 1 + random_.below(longest);
    const std::uint64_t lba = random_.below(versions_.size() - sectors + 1);
    const std::uint64_t choice = random_.below(100);
    if (choice < 45) return read(lba, sectors);
    if (choice < 90) {
      write(lba, sectors);
    } else if (choice < 97) {
      trim(lba, sectors);
    } else {
      simulation_.flush();
    }
    return 0;
  }

  std::uint64_t read_everything() {
    std::uint64_t wrong = 0;
    for (std::uint64_t lba = 0; lba < versions_.size(); lba += 128) {
      wrong += read(lba, std::min<std::uint64_t>(128, versions_.size() - lba));
    }
    return wrong;
  }

 private:
  // Bytes that no other sector, and no other version of this one, has.
  void fill(std::span<std::byte> sector, std::uint64_t lba) const {
    std::fill(sector.begin(), sector.end(), std::byte{0});
    if (versions_[lba] == 0) return;
    for (std::size_t k = 0; k < sector.size(); k += 8) {
      const std::uint64_t word = mix64(lba << 40 ^ std::uint64_t{versions_[lba]} << 8 ^ k / 8);
      std::memcpy(&sector[k], &word, sizeof word);
    }
  }

  Simulation& simulation_;
  std::vector<std::uint32_t> versions_;
  std::uint32_t latest_ = 0;
  RandomStream random_;
  std::vector<std::byte> data_;
};

TEST_CASE("stored data, tens of thousands of commands of all sizes") {
  Simulation simulation(configure(device));
  CheckedDevice checked(simulation, simulation.capacity_bytes() / sector_bytes);
  CHECK(checked.read_everything() == 0);  // nothing written reads as zeroes
  std::uint64_t wrong = 0;
  for (int k = 0; k < 40'000; ++k) wrong += checked.random_command();
  CHECK(wrong == 0);
  CHECK(checked.read_everything() == 0);

  const Value statistics = simulation.statistics();
  CHECK(statistics.at("controller.gc.moved_pages").number() > 10'000);
  CHECK(statistics.at("controller.merge_reads").number() > 10'000);
  CHECK(statistics.at("host.all.errors") == Value(0));
}

TEST_CASE("stored data stay right while a workload overwrites the rest of the device") {
  // The workload has what is behind 6 MiB, and runs on behind the single commands to what is before.
  Simulation simulation(
      configure(device, {"host.workload={read_percent: 30, trim_percent: 5, block_bytes: 6144, alignment_bytes: 512, "
                         "footprint_start_bytes: 6291456, footprint_bytes: 3145728, queue_depth: 8, "
                         "requests: 100000000}"}));
  REQUIRE_FALSE(simulation.run([](const Progress&) { return false; }));
  const Tick begin = simulation.now();
  const double before = simulation.statistics().at("host.all.count").number();
  CheckedDevice checked(simulation, 6291456 / sector_bytes);
  constexpr std::uint64_t commands = 3000;
  std::uint64_t wrong = 0;
  for (std::uint64_t k = 0; k < commands; ++k) wrong += checked.random_command();
  wrong += checked.read_everything();
  CHECK(wrong == 0);
  const Value statistics = simulation.statistics();
  CHECK(simulation.now() > begin);
  CHECK(statistics.at("host.all.count").number() - before > 2.0 * commands);
  CHECK(statistics.at("host.all.errors") == Value(0));
}

}  // namespace
}  // namespace nandscape
