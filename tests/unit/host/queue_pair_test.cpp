// SPDX-License-Identifier: Apache-2.0
// Tests the driver's side of a pair of queues against devices that complete commands wrongly.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "host/driver/queue_pair.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

constexpr std::uint32_t entries = 4;

// Registers whose writes go nowhere.
class NoRegisters final : public RegisterPort {
 public:
  explicit NoRegisters(const Calendar& calendar) : RegisterPort(calendar) {}
  void read(std::uint32_t, Then then) override { then(0); }

 private:
  void send_write(std::uint32_t, std::uint32_t) override {}
};

struct Bench {
  // Writes the next completion entry to memory, as a device does.
  void complete(std::uint16_t id) {
    nvme::CompletionEntry entry{.command_id = id};
    entry.status_phase = completed / entries % 2 == 0 ? 1 : 0;
    const std::uint64_t address = pair.completion_base() + completed++ % entries * sizeof entry;
    std::memcpy(memory.at(address).data(), &entry, sizeof entry);
  }
  std::vector<std::uint16_t> reap() {
    std::vector<std::uint16_t> ids;
    pair.reap([&](const nvme::CompletionEntry& entry) { ids.push_back(entry.command_id); });
    return ids;
  }
  std::uint16_t issue() {
    pair.prepare(0);
    return pair.take_id();
  }

  Calendar calendar;
  HostMemory memory{HostMemory::chunk_bytes};
  NoRegisters registers{calendar};
  QueuePair pair{memory, registers, {.id = 1, .entries = entries, .buffer_bytes = 8192, .memory_page_bytes = 4096}};
  std::uint32_t completed = 0;
};

}  // namespace

TEST_CASE("identifiers are free again after their completion") {
  Bench bench;
  for (int round = 0; round < 3; ++round) {
    std::vector<std::uint16_t> issued;
    while (bench.pair.has_room()) issued.push_back(bench.issue());
    REQUIRE(issued.size() == entries - 1);
    for (const std::uint16_t id : issued) bench.complete(id);
    CHECK(bench.reap() == issued);
  }
}

TEST_CASE("a completion of a command that is not in flight is an error") {
  Bench bench;
  const std::uint16_t id = bench.issue();
  SECTION("it was completed before") {
    bench.complete(id);
    bench.complete(id);
  }
  SECTION("it was not issued") { bench.complete(static_cast<std::uint16_t>(id + 1)); }
  SECTION("there is no such identifier") { bench.complete(0xffff); }
  CHECK_THROWS_AS(bench.reap(), Error);
}

TEST_CASE("cleared queues have all identifiers free") {
  Bench bench;
  const std::uint16_t id = bench.issue();
  bench.pair.clear();
  bench.complete(id);
  CHECK_THROWS_AS(bench.reap(), Error);
}
