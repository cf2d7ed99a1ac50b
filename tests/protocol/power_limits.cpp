// SPDX-License-Identifier: Apache-2.0
// Tests a limit of the power that all operations of the dies may draw together. The counters of the dies are the
// reference: they give the energy of the arrays up to any time.
#include <algorithm>
#include <memory>
#include <random>

#include "catch.h"
#include "controller/power/power_control.h"
#include "scheduler_bench.h"

namespace nandscape {
namespace {

using namespace small_times;
using controller::PowerControl;

constexpr double read_mw = 30, program_mw = 50, erase_mw = 20;

FlashDeviceParameters several_dies(std::uint32_t dies) {
  FlashDeviceParameters p = small_device();
  p.nand.geometry.dies_per_chip = dies;
  p.nand.energy.read_mw = read_mw;
  p.nand.energy.program_mw = program_mw;
  p.nand.energy.erase_mw = erase_mw;
  return p;
}

// A limit of `mw` for the arrays alone.
std::unique_ptr<PowerControl> limit(double mw) {
  controller::PowerParameters p;
  p.cap_w = 1e-3 * mw;
  controller::FlashPower flash;
  flash.read_mw = read_mw;
  flash.program_mw = program_mw;
  flash.erase_mw = erase_mw;
  return std::make_unique<PowerControl>(p, flash);
}

// Measures the mean power of the arrays over each window while events pend.
class ArrayPower {
 public:
  ArrayPower(SchedulerBench& bench, const nand::NandEnergyParameters& energy, Tick window = us)
      : bench_(bench), energy_(energy), window_(window) {
    bench.calendar.schedule<&ArrayPower::sample>(window, *this);
  }
  double highest_mw() const { return highest_mw_; }

 private:
  double joules() const {
    nand::ArrayTimes times;
    for (const auto& die : bench_.die) {
      times += die->die().counters().array;
      times -= die->die().array_times_ahead(bench_.calendar.now());
    }
    return array_joules(energy_, times);
  }
  void sample() {
    const double now = joules();
    highest_mw_ = std::max(highest_mw_, 1e3 * (now - last_) / s_from_ticks(window_));
    last_ = now;
    if (!bench_.calendar.empty()) bench_.calendar.schedule<&ArrayPower::sample>(bench_.calendar.now() + window_, *this);
  }

  SchedulerBench& bench_;
  const nand::NandEnergyParameters energy_;
  const Tick window_;
  double last_ = 0;
  double highest_mw_ = 0;
};

TEST_CASE("operations of any kind stay below the limit, and all of them end") {
  FlashDeviceParameters p = several_dies(6);
  p.controller.scheduler.policy.name = GENERATE("fifo", "out_of_order", "read_first");
  p.controller.scheduler.cache_program = GENERATE(false, true);
  p.controller.scheduler.cache_read = GENERATE(false, true);
  const double mw = GENERATE(100, 160, 250);
  const auto control = limit(mw);
  SchedulerBench h(p, nullptr, control.get());
  std::mt19937 random(7);
  std::vector<SchedulerBench::Asked*> all;
  Tick at = us;
  for (int k = 0; k < 400; ++k) {
    at += random() % (20 * us);
    const std::uint32_t plane = random() % 12;
    constexpr OpKind kinds[] = {OpKind::host_read,  OpKind::host_read,  OpKind::background_read,
                                OpKind::host_write, OpKind::host_write, OpKind::background_write,
                                OpKind::copyback};
    const OpKind kind = kinds[random() % 7];
    all.push_back(&h.at(at, kind, plane, 19, random() % 3));
  }
  for (std::uint32_t plane = 0; plane < 12; ++plane)
    all.push_back(&h.at(us + plane * 500 * us, OpKind::erase, plane, 18));
  // A die counts the array time of a cached operation when the response of the previous one has ended. The operation
  // has begun up to that response and the wait for the bus earlier, less than 100 us.
  const bool cached = p.controller.scheduler.cache_program || p.controller.scheduler.cache_read;
  const Tick window = cached ? 2 * millisecond : us;
  ArrayPower power(h, p.nand.energy, window);
  h.run();
  CHECK(std::ranges::all_of(all, [](const auto* asked) { return asked->done != never; }));
  CHECK(power.highest_mw() <= mw * (cached ? 1.05 : 1 + 1e-9));
  CHECK(power.highest_mw() > mw / 4);
  CHECK(control->counters(0).waits > 0);
  CHECK(control->counters(0).waited > 0);
}

// Dies of one plane that erase: N at a time, so the last of E erases ends after E / N erases.
TEST_CASE("as many dies work as the limit allows") {
  FlashDeviceParameters p = several_dies(8);
  p.nand.geometry.planes_per_die = 1;
  const std::uint32_t together = GENERATE(1u, 2u, 4u, 8u);
  const auto control = limit(erase_mw * (together + 0.5));
  SchedulerBench h(p, nullptr, control.get());
  std::vector<SchedulerBench::Asked*> all;
  for (std::uint32_t die = 0; die < 8; ++die) all.push_back(&h.at(0, OpKind::erase, die, 3));
  ArrayPower power(h, p.nand.energy);
  h.run();
  Tick last = 0;
  for (const auto* asked : all) last = std::max(last, asked->done);
  const double rounds = static_cast<double>(last) / static_cast<double>(3003 * us);
  CHECK(rounds == Approx(8.0 / together).epsilon(2e-3));
  CHECK(power.highest_mw() == Approx(erase_mw * together).epsilon(1e-9));
}

TEST_CASE("a limit below one operation lets one die work at a time") {
  FlashDeviceParameters p = several_dies(4);
  const auto control = limit(1);
  SchedulerBench h(p, nullptr, control.get());
  std::vector<SchedulerBench::Asked*> all;
  for (std::uint32_t plane = 0; plane < 8; ++plane) {
    all.push_back(&h.at(0, OpKind::host_write, plane));
    all.push_back(&h.at(100 * us, OpKind::host_read, plane, 19));
  }
  ArrayPower power(h, p.nand.energy);
  h.run();
  CHECK(std::ranges::all_of(all, [](const auto* asked) { return asked->done != never; }));
  CHECK(power.highest_mw() <= 2 * program_mw * (1 + 1e-9));
}

// Cheap reads arrive all the time, and a program of two planes needs most of the limit.
TEST_CASE("an operation that needs much power is not overtaken forever") {
  FlashDeviceParameters p = several_dies(4);
  const auto control = limit(110);
  SchedulerBench h(p, nullptr, control.get());
  for (int k = 0; k < 2000; ++k) h.at(k * 20 * us, OpKind::host_read, 2 + k % 6, 19, k % 3);
  const auto& write = h.at(500 * us, OpKind::host_write, 0);
  const auto& other = h.at(500 * us, OpKind::host_write, 1);
  h.run();
  CHECK(std::max(write.done, other.done) < 10 * millisecond);
}

TEST_CASE("a drive that saves its data on capacitor power has no limit") {
  FlashDeviceParameters p = several_dies(4);
  const auto control = limit(1);
  SchedulerBench h(p, nullptr, control.get());
  std::vector<SchedulerBench::Asked*> all;
  for (std::uint32_t plane = 0; plane < 8; plane += 2) all.push_back(&h.at(0, OpKind::host_write, plane));
  struct Cut {
    void happens() { bench.scheduler.save(); }
    SchedulerBench& bench;
  } cut{h};
  h.calendar.schedule<&Cut::happens>(300 * us, cut);
  h.run();
  for (const auto* asked : all) CHECK(asked->done < 300 * us + 701 * us + 8 * 20 * us);
}

}  // namespace
}  // namespace nandscape
