// SPDX-License-Identifier: Apache-2.0
// Tests dies whose planes read on their own: the rate of a saturated die and the waits of a loaded one in closed form,
// and the order of reads, programs, suspends and locks.
#include "catch.h"
#include "core/random.h"
#include "scheduler_bench.h"

namespace nandscape {
namespace {

using namespace small_times;
using enum NandOperation;

constexpr std::uint32_t planes = 4;
constexpr Tick select = (2 * cycle + address + 499 * ns) + (cycle + row + 81 * ns + burst + ns);
constexpr Tick plane_out = select + burst + page_data;
constexpr Tick bus_time = read_command + plane_out;

// One die with four planes.
FlashDeviceParameters one_die() {
  FlashDeviceParameters p = small_device();
  p.channel.t_ccs_ns = 499;
  p.nand.geometry.chips_per_channel = 1;
  p.nand.geometry.dies_per_chip = 1;
  p.nand.geometry.planes_per_die = planes;
  p.nand.independent_plane_reads = true;
  return p;
}

// Keeps `depth` reads waiting, of page 0 of random blocks; `choose` chooses the planes. Returns reads per second.
template <class Choose>
double saturated_rate(const FlashDeviceParameters& p, int depth, Choose choose) {
  SchedulerBench h(p);
  RandomStream random(7, "blocks");
  constexpr int reads = 2000;
  int done = 0, left = reads - depth;
  Tick begin = 0, end = 0;
  h.on_done = [&](SchedulerBench::Asked&) {
    if (++done == reads / 10) begin = h.calendar.now();
    if (done == reads - reads / 10) end = h.calendar.now();
    const auto block = static_cast<std::uint32_t>(random.below(p.nand.geometry.blocks_per_plane));
    if (left-- > 0) h.at(h.calendar.now(), OpKind::host_read, choose(), block);
  };
  for (int k = 0; k < depth; ++k) h.at(0, OpKind::host_read, choose());
  h.run();
  REQUIRE(done == reads);
  return (reads - 2.0 * (reads / 10)) / s_from_ticks(end - begin);
}

double per_second(Tick cycle_time) { return 1 / s_from_ticks(cycle_time); }

TEST_CASE("a saturated die reads as fast as its planes, or as its bus") {
  FlashDeviceParameters p = one_die();
  const double read_us = GENERATE(200.0, 61.0, 5.0);
  p.nand.timing.t_read_us = {read_us, read_us, read_us};
  std::uint32_t next = 0;
  const double rate = saturated_rate(p, 64, [&] { return next++ % planes; });
  const double of_planes = planes * per_second(bus_time + ticks_from_us(read_us));
  CHECK(rate == Approx(std::min(of_planes, per_second(bus_time))).epsilon(0.005));
}

TEST_CASE("a stream of reads of one plane gains nothing") {
  const double rate = saturated_rate(one_die(), 64, [] { return 2; });
  CHECK(rate == Approx(per_second(bus_time + t_read[0])).epsilon(0.001));
}

TEST_CASE("without independent reads, a die reads one page at a time") {
  FlashDeviceParameters p = one_die();
  p.nand.independent_plane_reads = false;
  p.controller.scheduler.multi_plane = false;
  std::uint32_t next = 0;
  const double rate = saturated_rate(p, 64, [&] { return next++ % planes; });
  CHECK(rate == Approx(per_second(read_command + t_read[0] + page_out)).epsilon(0.001));
}

// Each plane is a queue of its own. Reads arrive at random times (Poisson), and a read occupies its plane for a
// constant time S, so it waits rho S / (2 (1 - rho)) (M/D/1). The bus is nearly idle.
TEST_CASE("reads that arrive at random wait as in one queue for each plane, or in one queue for the die") {
  const bool independent = GENERATE(false, true);
  FlashDeviceParameters p = one_die();
  p.nand.independent_plane_reads = independent;
  p.controller.scheduler.multi_plane = false;
  p.nand.timing.t_read_us = {1000, 1000, 1000};
  const double service = s_from_ticks(independent ? bus_time : read_command + page_out) + 1e-3;
  const double load = 0.6;
  const double rate = load / service * (independent ? planes : 1);
  SchedulerBench h(p);
  RandomStream random(11, "arrivals");
  constexpr int reads = 40000;
  double sum = 0;
  h.on_done = [&](SchedulerBench::Asked& asked) { sum += s_from_ticks(asked.latency()); };
  double at = 0;
  for (int k = 0; k < reads; ++k) {
    at += random.exponential(1 / rate);
    h.at(static_cast<Tick>(at * 1e12), OpKind::host_read, static_cast<std::uint32_t>(random.below(planes)));
  }
  h.run();
  const double wait = load * service / (2 * (1 - load));
  // The mean over a run of n reads scatters by a few percent at this load.
  CHECK(sum / reads == Approx(service + wait).epsilon(0.03));
}

TEST_CASE("reads of different planes, blocks and pages overlap, and their data follow each other on the bus") {
  SchedulerBench h(one_die());
  const auto& first = h.at(0, OpKind::host_read, 0, 1, 1);        // 83.5 us
  const auto& other = h.at(10 * us, OpKind::host_read, 3, 5, 0);  // 61 us
  const auto& behind = h.at(20 * us, OpKind::host_read, 0, 2, 2);
  h.run();
  CHECK(other.done == 10 * us + read_command + t_read[0] + plane_out);
  const Tick first_ends = read_command + t_read[1];
  CHECK(first.done == std::max(first_ends, other.done) + plane_out);
  CHECK(behind.done == first.done + read_command + t_read[2] + plane_out);
}

TEST_CASE("a program occupies the die: it waits for all planes, and they wait for it") {
  FlashDeviceParameters p = one_die();
  p.controller.scheduler.suspend = controller::Suspend::none;
  p.controller.scheduler.policy = {"fifo", nullptr};
  SchedulerBench h(p);
  const auto& read_0 = h.at(0, OpKind::host_read, 0, 7, 0);
  const auto& write = h.at(10 * us, OpKind::host_write, 1);
  const auto& read_2 = h.at(20 * us, OpKind::host_read, 2, 7, 0);
  h.run();
  CHECK(read_0.done == read_command + t_read[0] + plane_out);
  CHECK(write.done == read_0.done + program_command + t_prog + status);
  CHECK(read_2.done == write.done + read_command + t_read[0] + plane_out);
}

TEST_CASE("planes read while a program is suspended, and it resumes once all of them have ended") {
  SchedulerBench h(one_die());
  const auto& write = h.at(0, OpKind::host_write, 1);
  const auto& first = h.at(100 * us, OpKind::host_read, 0, 7, 0);
  const auto& other = h.at(130 * us, OpKind::host_read, 1, 7, 1);
  h.run();
  const Tick halted = 100 * us + control_command + t_suspend;
  CHECK(first.done == halted + read_command + t_read[0] + plane_out);
  CHECK(other.done == 130 * us + read_command + t_read[1] + plane_out);
  REQUIRE(h.of(resume).size() == 1);
  CHECK(h.of(resume).front().at == other.done);
  CHECK(h.of(suspend).size() == 1);
  const Tick done_before = 100 * us + control_command - program_command;
  CHECK(write.done == other.done + control_command + t_resume + t_prog - done_before + status);
}

TEST_CASE("background reads use planes that the host does not read") {
  SchedulerBench h(one_die());
  const auto& host = h.at(0, OpKind::host_read, 0, 7, 0);
  const auto& background = h.at(0, OpKind::background_read, 1, 8, 0);
  const auto& waits = h.at(0, OpKind::background_read, 0, 8, 0);
  h.run();
  CHECK(host.done == read_command + t_read[0] + plane_out);
  CHECK(background.done == host.done + read_command + plane_out);  // the next command goes before its data-out
  CHECK(waits.done == host.done + read_command + t_read[0] + plane_out);
}

TEST_CASE("independent reads make no multi-plane reads, and programs still join") {
  SchedulerBench h(one_die());
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    h.at(0, OpKind::host_read, plane, 7, 0);
    h.at(0, OpKind::host_write, plane);
  }
  h.run();
  CHECK(h.scheduler.counters().multi_plane_operations == 1);
  for (const SchedulerBench::Sent& sent : h.of(read)) {
    CHECK(sent.command.independent);
    CHECK_FALSE(sent.command.more_planes);
  }
}

TEST_CASE("every policy serves all commands of a die whose planes read on their own") {
  FlashDeviceParameters p = one_die();
  p.controller.scheduler.policy = {GENERATE("fifo", "out_of_order", "read_first", "priority", "flin"), nullptr};
  p.controller.scheduler.cache_program = GENERATE(false, true);
  SchedulerBench h(p);
  RandomStream random(5, "commands");
  int done = 0;
  h.on_done = [&](SchedulerBench::Asked&) { ++done; };
  constexpr int count = 600;
  std::uint32_t writes = 0;
  for (int k = 0; k < count; ++k) {
    constexpr OpKind kinds[] = {OpKind::host_read, OpKind::host_read, OpKind::background_read, OpKind::host_write,
                                OpKind::erase};
    OpKind kind = kinds[random.below(std::size(kinds))];
    if (kind == OpKind::host_write && ++writes > 40) kind = OpKind::host_read;
    const auto plane = static_cast<std::uint32_t>(random.below(planes));
    const Tick at = random.below(20000) * us;
    h.at(at, kind, plane, kind == OpKind::erase ? 9 : 7, static_cast<std::uint32_t>(random.below(12)),
         static_cast<std::uint16_t>(random.below(3)), static_cast<PriorityClass>(random.below(4)));
  }
  h.run();
  CHECK(done == count);
}

}  // namespace
}  // namespace nandscape
