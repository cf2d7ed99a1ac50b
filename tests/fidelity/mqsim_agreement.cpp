// SPDX-License-Identifier: Apache-2.0
// The whole machine beside another simulator: mean latencies and throughput of MQSim at three queue depths and three
// mixes of reads and writes, in three families of parameters. Ours stand beside theirs with `-s`.
#include <cmath>
#include <cstdio>

#include "catch.h"
#include "mqsim_reference.h"
#include "scenario.h"

namespace nandscape {
namespace {

// Where both models have the same part, it gets the same time. Where they differ by intent, the one of MQSim is chosen
// if there is a choice, and otherwise left out of the comparison.
const std::string device = R"(
extends: retry_tlc_512g
host:
  # Both ends of the link cut data into packets of 128 bytes; MQSim has no propagation delay. Its link carries 4 GB/s
  # with 28 bytes around each packet, ours 3.94 GB/s with 20 to 24: a page takes 4.99 us there and 4.94 us here.
  link: {max_payload_bytes: 128, propagation_ns: 0}
  workload: {block_bytes: 16384, pattern: uniform}
controller:
  # MQSim announces suspension, but at this commit no read ever suspends anything.
  scheduler: {policy: out_of_order, suspend: none, cache_read: false}
  # Reads must find data in pages of random number, as behind MQSim's warm-up. No write cache on either side.
  precondition: {occupancy: 1.0, invalid_page_ratio: 0.03, order: random}
# MQSim has no ECC.
ecc: {t_decode_us: 0, t_encode_us: 0, decode_mb_s: 1000000, encode_mb_s: 1000000}
channel:
  # By default a command goes before data that wait for the bus, which keeps the dies at work. MQSim lets the data go
  # first; the dies of a channel then fall into step, and reads at queue depth 64 lose a quarter of their throughput.
  arbitration: response_first
  # host::Command and address cycles are the same 7 x 25 ns. The rest of its 290 ns for a read (tCS, tWB and tRR before the
  # array starts) goes into tWB here; that of its 361 ns for a program (tCS, tADL, tWPST, tWPSTH, tWB) leaves 71 ns of
  # tADL. Its tR ends 20 ns late, which is tRR here.
  t_wb_ns: 115
  t_adl_ns: 71
  t_rr_ns: 20
  # It has no preamble, no postamble, and reads no status: a status takes 26 ns of the bus here, one cycle and a byte.
  t_preamble_ns: 0
  t_postamble_ns: 0
  t_whr_ns: 0
  # It lets two planes share some cycles: 940 ns for a two-plane read and 1177 ns for a two-plane program are 2 x 290 ns
  # and 2 x 361 ns with about 400 ns between them.
  t_dbsy_ns: 400
# Two dies of one chip never work in parallel in MQSim at this commit, so that its chips have one die each, as those of
# the preset.
nand: {geometry: {chips_per_channel: 4, dies_per_chip: 1}}
)";

// With four times as many requests, every figure agrees within 0.6 %. These runs are short enough for a test, and their
// sampling error is 1.5 % in 95 of 100 runs in the worst case, writes among reads at queue depth 64; measured: 1.1 %.
constexpr double tolerance = 0.03;

void compare(const char* name, double ours, double theirs) {
  const double deviation = ours / theirs - 1;
  char text[128];
  std::snprintf(text, sizeof text, "%-18s ours %10.3f   MQSim %10.3f   %+.2f %%", name, ours, theirs, 100 * deviation);
  INFO(text);
  CHECK(std::abs(deviation) < tolerance);
}

void compare_family(const std::vector<mqsim::Figures>& family, std::vector<std::string> parameters) {
  for (const mqsim::Figures& theirs : family) {
    DYNAMIC_SECTION("queue depth " << theirs.queue_depth << ", " << theirs.read_percent << " % reads") {
      // The ends, in which the queue fills or drains, are left out.
      const std::size_t requests = theirs.queue_depth == 1 ? 20'000 : 100'000;
      const std::size_t settled = theirs.queue_depth * std::size_t{20};
      parameters.push_back("host.workload.queue_depth=" + std::to_string(theirs.queue_depth));
      parameters.push_back("host.workload.read_percent=" + std::to_string(theirs.read_percent));
      parameters.push_back("host.workload.requests=" + std::to_string(requests));
      Simulation simulation(configure(device, parameters));
      REQUIRE(simulation.run());

      const SteadyState ours(simulation.requests(), settled, requests - theirs.queue_depth);
      if (theirs.mean_read_us != 0) compare("mean read, us", ours.mean_read_us, theirs.mean_read_us);
      if (theirs.mean_write_us != 0) compare("mean write, us", ours.mean_write_us, theirs.mean_write_us);
      compare("throughput, 1/s", ours.iops, theirs.iops);
      CHECK(simulation.statistics().at("controller.gc.victims") == Value(0));
    }
  }
}

TEST_CASE("agreement with MQSim, pages of three read times on two planes") {
  compare_family(mqsim::three_page_types, {"nand.timing.read=per_page_type", "nand.timing.t_read_us=[78, 117, 78]"});
}

TEST_CASE("agreement with MQSim, pages of one read time on two planes") {
  compare_family(mqsim::one_page_type, {"nand.timing.read=per_page_type", "nand.timing.t_read_us=[90, 90, 90]"});
}

TEST_CASE("agreement with MQSim, pages of one read time on one plane") {
  compare_family(
      mqsim::one_page_type_one_plane,
      {"nand.timing.read=per_page_type", "nand.timing.t_read_us=[90, 90, 90]", "nand.geometry.planes_per_die=1"});
}

}  // namespace
}  // namespace nandscape
