// SPDX-License-Identifier: Apache-2.0
// Saturates the whole machine and compares its throughput with the bound set by its busiest part: the flash arrays, the
// channels, the decoder or the link.
#include <cstdint>

#include "catch.h"
#include "scenario.h"

namespace nandscape {
namespace {

// Each test slows one part of this device down. Requests are sequential so that they are spread evenly over channels
// and dies. Otherwise a die could idle by chance.
const std::string device = R"(
host:
  link: {generation: 5, lanes: 16, propagation_ns: 150}
  workload: {block_bytes: 16384, pattern: sequential, requests: 12000}
controller:
  mapping: {allocation: CWDP, over_provisioning: 0.5}
  scheduler: {multi_plane: false}
ecc: {t_decode_us: 20, decode_mb_s: 1000000, encode_mb_s: 1000000}
channel: {count: 2, interface: nv_ddr4, rate_mt_s: 3600, width_bits: 8, arbitration: command_first, transfer_spare: true}
nand:
  geometry: {chips_per_channel: 1, dies_per_chip: 1, planes_per_die: 2, blocks_per_plane: 200, pages_per_block: 100,
             page_bytes: 16384, spare_bytes: 1024}
  coding: slc
  timing: {read: per_page_type, t_read_us: [60], t_prog_us: 600}
)";

constexpr double page_bytes = 16384;
constexpr double channels = 2;

// Bus times of the commands in us. The default times of the channel are written out here.
double data_us(double rate_mt_s) { return 0.030 + (page_bytes + 1024) / rate_mt_s; }
constexpr double read_command_us = 7 * 0.025 + 0.1;
double page_out_us(double rate_mt_s) { return 0.020 + data_us(rate_mt_s); }
double program_command_us(double rate_mt_s) { return 7 * 0.025 + 0.15 + data_us(rate_mt_s) + 0.1; }
double status_us(double rate_mt_s) { return 0.025 + 0.08 + 0.030 + 1 / rate_mt_s; }

// throughput() leaves out the first and the last tenth of the requests, while queues fill and drain. In between, the
// device repeats the same round, so only the ends of the measured window can deviate from the bound.
constexpr double tolerance = 0.002;

double throughput(const std::vector<std::string>& assignments) {
  Simulation simulation(configure(device, assignments));
  REQUIRE(simulation.run());
  const std::size_t requests = simulation.requests().size();
  return SteadyState(simulation.requests(), requests / 10, requests - requests / 10).iops;
}

TEST_CASE("saturated machine, one die on a fast channel reads as fast as its array") {
  const double rate = throughput({"host.workload.read_percent=100", "host.workload.queue_depth=16"});
  CHECK(rate == Approx(channels * 1e6 / (read_command_us + 60 + page_out_us(3600))).epsilon(tolerance));
}

TEST_CASE("saturated machine, many dies on a channel read as fast as its bus") {
  const double rate = throughput({"host.workload.read_percent=100", "host.workload.queue_depth=256",
                                  "nand.geometry.chips_per_channel=16", "channel.rate_mt_s=800"});
  CHECK(rate == Approx(channels * 1e6 / (read_command_us + page_out_us(800))).epsilon(tolerance));
}

TEST_CASE("saturated machine, dies whose responses precede commands work in lockstep") {
  const double rate = throughput({"host.workload.read_percent=100", "host.workload.queue_depth=64",
                                  "nand.geometry.chips_per_channel=4", "channel.arbitration=response_first"});
  // One round: all four dies transfer their data out, then all four receive their next commands. After that the bus is
  // idle until the first die has sensed its page.
  const double round_us = read_command_us + 60 + 4 * page_out_us(3600);
  CHECK(rate == Approx(channels * 4e6 / round_us).epsilon(tolerance));
}

TEST_CASE("saturated machine, dies write as fast as they program") {
  const double dies = GENERATE(1, 4);
  const double rate =
      throughput({"host.workload.read_percent=0", "host.workload.queue_depth=64", "controller.precondition.occupancy=0",
                  "nand.geometry.dies_per_chip=" + std::to_string(static_cast<int>(dies))});
  const double cycle_us = program_command_us(3600) + 600 + status_us(3600);
  CHECK(rate == Approx(channels * dies * 1e6 / cycle_us).epsilon(tolerance));
}

TEST_CASE("saturated machine, a decoder that is slower than its channel limits reads") {
  const double rate = throughput({"host.workload.read_percent=100", "host.workload.queue_depth=256",
                                  "nand.geometry.chips_per_channel=16", "ecc.decode_mb_s=400"});
  CHECK(rate == Approx(channels * 400e6 / page_bytes).epsilon(tolerance));
}

// A link of generation 1 with one lane needs 4 ns for each byte. Only packets in the direction of the data count,
// because the other direction has plenty of bandwidth left.
constexpr double link_bytes_per_second = 0.25e9;
const std::vector<std::string> slow_link = {"host.link.generation=1", "host.link.lanes=1",
                                            "host.workload.queue_depth=256", "nand.geometry.chips_per_channel=16",
                                            "controller.precondition.occupancy=0"};

TEST_CASE("saturated machine, a narrow link limits reads") {
  std::vector<std::string> assignments = slow_link;
  assignments.insert(assignments.end(), {"host.workload.read_percent=100", "controller.precondition.occupancy=1"});
  // Bytes per read in the direction to the host: data packets of 256 bytes with 24 bytes of overhead each, the read
  // request for the PRP list, the completion entry, the interrupt, and the read request for submission entries.
  // Commands that are fetched together share the last one.
  const double upstream = page_bytes + 64 * 24 + 24 + (16 + 24) + 24 + 24;
  CHECK(throughput(assignments) == Approx(link_bytes_per_second / upstream).epsilon(tolerance));
}

TEST_CASE("saturated machine, a narrow link limits writes") {
  std::vector<std::string> assignments = slow_link;
  assignments.insert(assignments.end(), {"host.workload.read_percent=0", "nand.timing.t_prog_us=60"});
  // Bytes per write in the direction to the device: data packets of 256 bytes with 20 bytes of overhead each, three PRP
  // entries, the submission entry, and two doorbells.
  const double downstream = page_bytes + 64 * 20 + (24 + 20) + (64 + 20) + 2 * 28;
  CHECK(throughput(assignments) == Approx(link_bytes_per_second / downstream).epsilon(tolerance));
}

}  // namespace
}  // namespace nandscape
