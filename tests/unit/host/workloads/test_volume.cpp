// SPDX-License-Identifier: Apache-2.0
// Tests streams that write a given amount of data to a given part of a disk. The published volumes are measured in
// tests/unit/platform/config/workload_profiles.cpp.
#include <algorithm>
#include <cmath>
#include <map>

#include "workload_harness.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

constexpr std::uint64_t gibibyte_sectors = std::uint64_t{1} << 21;

// Returns the settings of a disk of 1 GiB. Half a GiB of data is written to an eighth of the disk, in 65536 writes of 8
// KiB to 16384 addresses. There are a quarter as many reads as writes.
Keys volume(Keys keys = {}) {
  keys.insert({{"kind", "volume"},
               {"capacity_gib", "1"},
               {"written_gib", "0.5"},
               {"distinct_gib", "0.125"},
               {"requests", "1000000"}});
  return keys;
}

std::string refusal(const Keys& keys) {
  return message_of<ConfigError>([&] { make(volume(keys), gibibyte_sectors); });
}

std::vector<HostRequest> of_kind(RequestKind kind, const std::vector<HostRequest>& requests) {
  std::vector<HostRequest> some;
  std::ranges::copy_if(requests, std::back_inserter(some), [&](const HostRequest& r) { return r.kind == kind; });
  return some;
}

}  // namespace

TEST_CASE("a volume writes its exact amounts in each span", "[workload]") {
  const auto stream = requests_of(volume(), gibibyte_sectors);
  const auto writes = of_kind(RequestKind::write, stream);
  CHECK(writes.size() == 65'536);
  CHECK(stream.size() == writes.size() * 5 / 4);
  std::map<std::uint64_t, int> times;
  for (const HostRequest& r : writes) ++times[r.first.value];
  CHECK(times.size() == 16'384);
  CHECK(std::ranges::all_of(times, [](const auto& place) { return place.second == 4; }));
  CHECK(times.rbegin()->first == (16'384 - 1) * 16);
  CHECK(std::ranges::all_of(stream, [](const HostRequest& r) { return r.sectors == 16; }));
}

TEST_CASE("a volume reads evenly from its whole disk", "[workload]") {
  const auto reads = of_kind(RequestKind::read, requests_of(volume(), gibibyte_sectors));
  for (const double part : {0.125, 0.5, 0.9}) {
    const double below = std::ranges::count_if(
        reads, [&](const HostRequest& r) { return static_cast<double>(r.first.value) < part * gibibyte_sectors; });
    const auto all = static_cast<double>(reads.size());
    CHECK(below == Approx(part * all).margin(5 * std::sqrt(part * (1 - part) * all)));
  }
}

TEST_CASE("a volume arrives at its mean rate, unless another is given", "[workload]") {
  const auto end_s = [](const Keys& keys) {
    return s_from_ticks(requests_of(volume(keys), gibibyte_sectors).back().at);
  };
  const double error = 5 / std::sqrt(81'920.0);
  CHECK(end_s({{"span_days", "2"}}) == Approx(2 * 86'400).epsilon(error));
  CHECK(end_s({{"requests_per_s", "8192"}}) == Approx(10).epsilon(error));
  CHECK(end_s({{"scale", "0.5"}}) == Approx(86'400).epsilon(1.5 * error));
  const auto closed = requests_of(volume({{"pacing", "closed"}, {"think_time_us", "3"}}), gibibyte_sectors);
  CHECK(closed.back().at == 3 * microsecond);
}

TEST_CASE("a volume can be scaled, shifted and cut short", "[workload]") {
  const auto half = requests_of(volume({{"scale", "0.5"}, {"start_bytes", "1048576"}}), gibibyte_sectors);
  CHECK(half.size() == 40'960);
  const auto [first, last] = std::ranges::minmax(half, {}, [](const HostRequest& r) { return r.first.value; });
  CHECK(first.first.value >= 2048);
  CHECK(last.first.value < 2048 + gibibyte_sectors / 2);
  const auto whole = requests_of(volume(), gibibyte_sectors);
  const auto begun = requests_of(volume({{"requests", "100"}}), gibibyte_sectors);
  REQUIRE(begun.size() == 100);
  for (std::size_t k = 0; k < begun.size(); ++k) {
    check_request(begun[k], whole[k].kind, whole[k].first.value, whole[k].sectors, whole[k].at);
  }
  CHECK(make(volume({{"requests", "100"}}))->expected_requests() == 100);
  CHECK(make(volume())->expected_requests() == 81'920);
  CHECK(requests_of(volume(), gibibyte_sectors, 2).front().at != whole.front().at);
}

TEST_CASE("an impossible volume is refused with the key and the reason", "[workload]") {
  CHECK_THAT(refusal({{"distinct_gib", "0.6"}}),
             ContainsSubstring("host.workload.distinct_gib: is more than written_gib"));
  CHECK_THAT(refusal({{"capacity_gib", "0.1"}}), ContainsSubstring("distinct_gib: is more than capacity_gib"));
  CHECK_THAT(refusal({{"scale", "1e-9"}}), ContainsSubstring("distinct_gib: times scale is less than a request"));
  CHECK_THAT(refusal({{"scale", "2"}}), ContainsSubstring("scale: a disk of 2147483648 bytes from byte 0") &&
                                            ContainsSubstring("a scale of at most 1.000000 fits"));
  CHECK_THAT(refusal({{"start_bytes", "8192"}}), ContainsSubstring("ends past the capacity"));
  CHECK_THAT(refusal({{"request_bytes", "1000"}}), ContainsSubstring("request_bytes: 1000 bytes are not a multiple"));
  CHECK_THAT(refusal({{"start_bytes", "100"}, {"scale", "0.5"}}),
             ContainsSubstring("start_bytes: 100 bytes are not a multiple"));
  CHECK_THAT(refusal({{"requests_per_s", "10"}, {"pacing", "closed"}}), ContainsSubstring("set pacing: open"));
}
