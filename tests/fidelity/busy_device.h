// SPDX-License-Identifier: Apache-2.0
// A small device whose garbage collection is always busy, and the outcome of a run on it, which tests compare with the
// outcomes of other runs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "protocol/storage.h"
#include "scenario.h"

namespace nandscape {

// A device with 16 MiB of flash that is completely filled with data, so that a block must be collected every few
// writes.
inline const std::string busy_device = R"(
host:
  workload: {read_percent: 45, trim_percent: 5, pattern: uniform, queue_depth: 24, requests: 6000,
             block_mix: [{block_bytes: 512, weight: 1}, {block_bytes: 4096, weight: 3}, {block_bytes: 20480, weight: 1}],
             alignment_bytes: 512}
controller:
  mapping: {over_provisioning: 0.3}
  scheduler: {policy: out_of_order, suspend: program_erase, multi_plane: true}
  precondition: {occupancy: 1.0, invalid_page_ratio: 0.05}
channel: {count: 2}
nand:
  geometry: {chips_per_channel: 1, dies_per_chip: 2, planes_per_die: 2, blocks_per_plane: 32, pages_per_block: 16,
             page_bytes: 4096, spare_bytes: 256}
)";

// The statistics and the request log of a run. The wall-clock time is set to zero, since it differs from run to run.
struct Outcome {
  explicit Outcome(const Simulation& simulation) : statistics(simulation.statistics()), log(simulation.requests()) {
    statistics["simulation"]["wall_s"] = 0.0;
  }

  Value statistics;
  RequestLog log;
};

inline void check_same(const Outcome& a, const Outcome& b) {
  CHECK(a.statistics.to_json() == b.statistics.to_json());
  CHECK(a.log.start == b.log.start);
  CHECK(a.log.latency == b.log.latency);
  CHECK(a.log.first_lba == b.log.first_lba);
  CHECK(a.log.sectors == b.log.sectors);
  CHECK(a.log.kind == b.log.kind);
  CHECK(a.log.status == b.log.status);
  CHECK(a.log.workload == b.log.workload);
}

// Sends random commands to a simulation, one at a time: reads, writes, trims, flushes and pauses.
class SingleCommands {
 public:
  SingleCommands(Simulation& simulation, std::uint64_t seed)
      : simulation_(simulation),
        random_(seed, "single commands"),
        data_(std::size_t{most_sectors} * sector_bytes),
        capacity_(simulation.capacity_bytes() / sector_bytes) {}

  void next() {
    const std::uint64_t sectors = 1 + random_.below(most_sectors);
    const std::uint64_t lba = random_.below(capacity_ - sectors);
    const auto data = std::span(data_).first(sectors * sector_bytes);
    const std::uint64_t choice = random_.below(100);
    if (choice < 30) {
      simulation_.read(lba, data);
    } else if (choice < 85) {
      simulation_.write(lba, data);
    } else if (choice < 90) {
      simulation_.trim(lba, sectors);
    } else if (choice < 95) {
      simulation_.flush();
    } else {
      simulation_.run_until(simulation_.now() + random_.below(millisecond));
      return;
    }
    ++completed_;
  }

  std::size_t completed() const { return completed_; }

 private:
  static constexpr std::uint32_t most_sectors = 64;

  Simulation& simulation_;
  RandomStream random_;
  std::vector<std::byte> data_;
  std::uint64_t capacity_;
  std::size_t completed_ = 0;
};

}  // namespace nandscape
