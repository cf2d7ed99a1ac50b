// SPDX-License-Identifier: Apache-2.0
// Tests a user-supplied drive in place of the built-in flash drive. The simulation uses it only through the interface
// in platform/blocks/drive.h.
#include "catch.h"
#include "core/error.h"
#include "fakes/fake_storage.h"
#include "platform/blocks/drive.h"
#include "platform/config/parameters.h"
#include "unit/platform/drives.h"
#include "unit/platform/temporary_folder.h"

namespace nandscape {
namespace {

constexpr std::uint64_t pages = 1000;
const Tick latency = ticks_from_us(7);
const Tick save_time = ticks_from_us(1e3);

struct MemoryCounters {
  std::uint64_t power_cuts = 0;
};
void describe(const MemoryCounters& c, StatisticsVisitor& v) { v.count("power_cuts", c.power_cuts, "power failures"); }

// A drive made of memory with a battery, which saves the content when the supply fails.
class MemoryDrive final : public Drive, private MediaProbe {
 public:
  using Parameters = NoParameters;
  MemoryDrive(const Parameters&, const DriveContext& c)
      : calendar_(c.calendar),
        storage_(c.calendar, c.parameters.nand.geometry.page_bytes, pages, 1, latency),
        start_up_(c.start_up) {}

  StorageDevice& storage() override { return storage_; }
  std::uint64_t capacity_bytes() const override { return pages * storage_.page_bytes(); }

  void power_cut(SimulatedTime& time) override {
    ++counters_.power_cuts;
    time.run(time.now() + save_time);
  }
  bool shut_down(SimulatedTime&) override { return true; }
  void recover(SimulatedTime&) override { REQUIRE(start_up_ == controller::StartUp::from_flash); }
  void age(double, double) override {}
  void age_in_use(double, double, SimulatedTime&) override {}
  bool settle(SimulatedTime& time) override {
    time.run(never);
    return !full_;
  }
  bool end_stall(Tick) override { return false; }
  std::string stall_report() const override { return {}; }
  std::string waiting() const override { return "nothing waits"; }

  void persist_lasting(Archive& archive, Tick) override {
    storage_.persist(archive);
    archive(counters_);
  }
  void persist_settled(Archive&) override {}

  void describe(StatisticsVisitor& v, Tick) const override { v.group("memory", counters_, "the drive"); }
  void add_busy_times(BusyTimes& times) const override { times.add("memory", "its bus", calendar_.now() / 2); }
  void add_energy(EnergyAccount& account) const override { account.add("memory_j", 2, "the drive"); }

  MediaProbe& media() override { return *this; }

 private:
  void fail_next(DieId, NandOperation, std::uint32_t) override { throw RequestError("memory has no dies"); }
  void fail_block(BlockId) override { full_ = true; }
  void kill_die(DieId) override { throw RequestError("memory has no dies"); }
  std::uint32_t programmed_wordlines(BlockId) const override { throw RequestError("memory has no wordlines"); }
  std::vector<float> threshold_voltages(BlockId, std::uint32_t) const override {
    throw RequestError("memory has no cells");
  }

  Calendar& calendar_;
  FakeStorage storage_;
  const controller::StartUp start_up_;
  bool full_ = false;
  MemoryCounters counters_;
};

Simulation memory_simulation() {
  if (!drives().contains("memory")) drives().add<MemoryDrive>("memory", "memory with a battery");
  return Simulation(small_drive({"simulation.data=stored", "simulation.blocks.drive.kind=memory"}));
}

std::vector<std::byte> read(Simulation& simulation, std::uint64_t lba) {
  std::vector<std::byte> data(16384);
  simulation.read(lba, data);
  return data;
}

TEST_CASE("another drive serves the host's commands and workloads") {
  Simulation simulation = memory_simulation();
  CHECK(simulation.capacity_bytes() == pages * 16384);
  simulation.write(64, page_of(5));
  CHECK(read(simulation, 64) == page_of(5));
  CHECK(simulation.trim(0, 32) > latency);
  CHECK_THROWS_AS(simulation.trim(pages * 32, 32), RequestError);
  CHECK(simulation.run());
  CHECK(simulation.requests().size() == 3003);
}

TEST_CASE("another drive reports its own statistics, beside those of the host and of the run") {
  Simulation simulation = memory_simulation();
  simulation.write(0, page_of(1));
  const Value statistics = simulation.statistics();
  CHECK(statistics.at("memory.power_cuts").number() == 0);
  CHECK(statistics.at("utilisation.memory").number() == Approx(0.5));
  CHECK(statistics.at("energy.memory_j").number() == 2);
  CHECK(statistics.at("energy.total_j").number() == 2 + statistics.at("energy.link_j").number());
  CHECK(statistics.at("host.link").map_items() != nullptr);
  CHECK(statistics.find("controller") == nullptr);
}

TEST_CASE("another drive shows no blocks, since the platform does not know its controller") {
  CHECK_THROWS_WITH(memory_simulation().blocks(), ContainsSubstring("the drive is of kind memory"));
}

TEST_CASE("another drive survives power cuts, with its own save time") {
  Simulation simulation = memory_simulation();
  simulation.write(64, page_of(7));
  const Tick cut = simulation.now();
  simulation.power_cut();
  CHECK(simulation.now() == cut + save_time);
  CHECK_FALSE(simulation.has_power());
  simulation.power_on();
  CHECK(read(simulation, 64) == page_of(7));
  CHECK(simulation.statistics().at("memory.power_cuts").number() == 1);
  simulation.shut_down();
  simulation.power_on();
  CHECK(read(simulation, 64) == page_of(7));
}

TEST_CASE("another drive is saved in checkpoints and restored from them") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "memory.checkpoint").string();
  Simulation simulation = memory_simulation();
  simulation.write(64, page_of(9));
  simulation.checkpoint(path);
  Simulation restored = Simulation::restore(path);
  CHECK(read(restored, 64) == page_of(9));
  // The built-in drive must refuse the state of this drive.
  CHECK_THROWS_AS(Simulation::restore(path, {parse_override("simulation.blocks.drive.kind=built_in")}), Error);
}

TEST_CASE("a drive that cannot settle is off after a checkpoint") {
  const TemporaryFolder folder;
  Simulation simulation = memory_simulation();
  simulation.media()->fail_block(BlockId(0));
  CHECK_THROWS_WITH(simulation.checkpoint((folder.path() / "memory.checkpoint").string()),
                    ContainsSubstring("nothing waits"));
  CHECK_FALSE(simulation.has_power());
}

}  // namespace
}  // namespace nandscape
