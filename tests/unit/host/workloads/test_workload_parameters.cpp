// SPDX-License-Identifier: Apache-2.0
// Tests errors for parameters that contradict each other or do not suit the device, and the choice of pacing.
#include "workload_harness.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

constexpr std::uint64_t mebibyte_sectors = 2048;

std::string refusal(const Keys& keys) {
  return message_of<ConfigError>([&] { make(keys, mebibyte_sectors); });
}

}  // namespace

TEST_CASE("by default synthetic workloads are closed loops and traces open ones", "[workload]") {
  WorkloadParameters parameters;
  CHECK(!is_open_loop(parameters));
  assign(parameters, {{"kind", "trace"}});
  CHECK(is_open_loop(parameters));
  assign(parameters, {{"pacing", "closed"}});
  CHECK(!is_open_loop(parameters));
  assign(parameters, {{"kind", "synthetic"}, {"pacing", "open"}});
  CHECK(is_open_loop(parameters));
}

TEST_CASE("simultaneous workloads need distinct names", "[workload]") {
  std::vector<WorkloadParameters> workloads(3);
  workloads[1].name = "log";
  CHECK(workload_names(workloads, "host.workload") == std::vector<std::string>{"workload0", "log", "workload2"});
  workloads[2].name = "log";
  CHECK_THAT(message_of<ConfigError>([&] { workload_names(workloads, "host.workload"); }),
             ContainsSubstring("host.workload: two workloads are named 'log'"));
}

TEST_CASE("a workload without a footprint accesses the part of the drive that holds data", "[workload]") {
  constexpr std::uint64_t capacity_sectors = 1000 * 8;
  const auto end_of = [](const Keys& keys, double filled_fraction) {
    WorkloadParameters parameters;
    Keys all = {{"kind", "synthetic"}, {"block_bytes", "4096"}, {"requests", "2000"}};
    all.insert(keys.begin(), keys.end());
    assign(parameters, all);
    std::uint64_t end = 0;
    const auto source = make_workload(parameters, capacity_sectors, filled_fraction, 1, "host.workload");
    for (const HostRequest& request : all_requests(*source)) end = std::max(end, request.first.value + request.sectors);
    return end;
  };
  // With 2,000 draws from 500 blocks, the last block is missed with a probability of exp(-4); the seed is fixed.
  CHECK(end_of({}, 0.5) > 490 * 8);
  CHECK(end_of({}, 0.5) <= 500 * 8);
  CHECK(end_of({{"footprint_fraction", "1"}}, 0.5) > 980 * 8);
  CHECK(end_of({}, 1) > 980 * 8);
}

TEST_CASE("impossible parameters are refused with the key and the reason", "[workload]") {
  CHECK_THAT(refusal({{"block_bytes", "2097152"}}),
             ContainsSubstring("host.workload.block_bytes") && ContainsSubstring("does not fit"));
  CHECK_THAT(refusal({{"block_bytes", "1000"}}), ContainsSubstring("not a multiple of the sector size"));
  CHECK_THAT(refusal({{"alignment_bytes", "700"}}), ContainsSubstring("alignment_bytes"));
  CHECK_THAT(refusal({{"block_mix.0.weight", "0"}}), ContainsSubstring("all weights are 0"));
  CHECK_THAT(refusal({{"read_percent", "70"}, {"trim_percent", "40"}}), ContainsSubstring("more than 100 percent"));
  CHECK_THAT(refusal({{"footprint_bytes", "2097152"}}), ContainsSubstring("ends past the capacity"));
  CHECK_THAT(refusal({{"footprint_start_bytes", "4096"}}), ContainsSubstring("footprint_fraction"));
  CHECK_THAT(refusal({{"pacing", "open"}}), ContainsSubstring("rate_iops") && ContainsSubstring("needs a rate"));
  CHECK_THAT(refusal({{"rate_iops", "1000"}}), ContainsSubstring("set pacing: open"));
  CHECK_THAT(refusal({{"pacing", "open"}, {"rate_iops", "1000"}, {"think_time_us", "1"}}),
             ContainsSubstring("think_time_us"));
}
