// SPDX-License-Identifier: Apache-2.0
// Tests that profile workloads have the requested statistics. The shipped profiles are measured in
// tests/unit/platform/config/workload_profiles.cpp.
#include <algorithm>
#include <cmath>
#include <set>

#include "host/workloads/profile/quota.h"
#include "workload_harness.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

constexpr std::uint64_t gibibyte_sectors = std::uint64_t{1} << 21;

std::vector<HostRequest> profile(Keys keys, std::uint64_t seed = 1) {
  keys.insert({{"kind", "profile"}, {"requests", "20000"}});
  return requests_of(keys, gibibyte_sectors, seed);
}

std::string refusal(Keys keys) {
  keys.insert({"kind", "profile"});
  return message_of<ConfigError>([&] { make(keys, gibibyte_sectors); });
}

std::size_t count_reads(const std::vector<HostRequest>& requests) {
  return static_cast<std::size_t>(
      std::ranges::count_if(requests, [](const HostRequest& r) { return r.kind == RequestKind::read; }));
}

// Returns the set of all sectors that the requests write.
std::set<std::uint64_t> written(const std::vector<HostRequest>& requests) {
  std::set<std::uint64_t> sectors;
  for (const HostRequest& r : requests) {
    for (std::uint64_t k = 0; k < r.sectors && r.kind == RequestKind::write; ++k) sectors.insert(r.first.value + k);
  }
  return sectors;
}

}  // namespace

TEST_CASE("shares of reads and of cold reads are exact in every run", "[workload]") {
  for (const std::string requests : {"100", "1000"}) {
    const auto stream = profile({{"requests", requests}, {"read_percent", "70"}, {"cold_read_percent", "40"}});
    CHECK(count_reads(stream) == stream.size() * 70 / 100);
    const auto updated = written(stream);
    const auto cold = std::ranges::count_if(
        stream, [&](const HostRequest& r) { return r.kind == RequestKind::read && !updated.contains(r.first.value); });
    CHECK(cold == static_cast<std::ptrdiff_t>(stream.size() * 28 / 100));
  }
}

TEST_CASE("a quota draws all orders with equal probability", "[workload]") {
  RandomStream random(1, "quota");
  int first = 0;
  int both_first = 0;
  constexpr int rounds = 40'000;
  for (int n = 0; n < rounds; ++n) {
    Quota quota(2, 4);
    const bool draws[] = {quota.draw(random), quota.draw(random), quota.draw(random), quota.draw(random)};
    CHECK(std::ranges::count(draws, true) == 2);
    first += draws[0] ? 1 : 0;
    both_first += draws[0] && draws[1] ? 1 : 0;
  }
  CHECK(first == Approx(rounds / 2).margin(5 * std::sqrt(rounds / 4.0)));
  CHECK(both_first == Approx(rounds / 6).margin(5 * std::sqrt(rounds * 5 / 36.0)));
}

TEST_CASE("the stream is stationary: its halves have the same statistics", "[workload]") {
  auto stream = profile({{"requests", "100000"}, {"size_class_percent", "30 30 20 20"}});
  const std::vector<HostRequest> second(stream.begin() + 50'000, stream.end());
  stream.resize(50'000);
  const auto sectors = [](const std::vector<HostRequest>& requests) {
    double sum = 0;
    for (const HostRequest& r : requests) sum += static_cast<double>(r.sectors);
    return sum;
  };
  CHECK(static_cast<double>(count_reads(stream)) == Approx(count_reads(second)).epsilon(0.03));
  CHECK(sectors(stream) == Approx(sectors(second)).epsilon(0.03));
  CHECK(static_cast<double>(written(stream).size()) == Approx(written(second).size()).epsilon(0.03));
}

TEST_CASE("writes cover the updated part and stay inside it; cold reads stay out of it", "[workload]") {
  const Keys keys{{"updated_bytes", "16777216"}, {"footprint_start_bytes", "1048576"}, {"footprint_bytes", "67108864"}};
  const auto stream = profile(keys);
  const std::uint64_t begin = 2048, end = 2048 + 32'768, all = 2048 + 131'072;
  std::size_t cold = 0;
  for (const HostRequest& r : stream) {
    const std::uint64_t last = r.first.value + r.sectors;
    CHECK(r.first.value >= begin);
    CHECK(last <= all);
    if (r.kind == RequestKind::write) CHECK(last <= end);
    if (r.kind == RequestKind::read && r.first.value >= end) ++cold;
  }
  CHECK(cold == 7000);
  CHECK(written(stream).size() == end - begin);  // 100 MB of data are written to a part of 16 MiB
  // Every eighth of the updated part must receive an eighth of the writes.
  std::vector<double> eighths(8);
  for (const HostRequest& r : stream) {
    if (r.kind == RequestKind::write) eighths[(r.first.value - begin) / 4096] += 1;
  }
  for (const double count : eighths) CHECK(count == Approx(750).epsilon(0.02));
}

TEST_CASE("the updated part is sized for the mean number of updates, within its share of the footprint", "[workload]") {
  const auto extent = [](const Keys& keys) { return 512.0 * static_cast<double>(*written(profile(keys)).rbegin()); };
  const double bytes = 6000 * 16'384.0;
  CHECK(extent({}) == Approx(bytes / 2).epsilon(0.01));
  CHECK(extent({{"mean_updates", "4"}}) == Approx(bytes / 4).epsilon(0.01));
  CHECK(extent({{"updated_fraction", "0.01"}}) == Approx(0.01 * 1073741824).epsilon(0.01));
}

TEST_CASE("a read that is not cold hits the written part, however few writes there are", "[workload]") {
  const auto stream = profile({{"read_percent", "99.9"},
                               {"cold_read_percent", "0"},
                               {"mean_read_bytes", "4096"},
                               {"updated_bytes", "268435456"}});
  const auto updated = written(stream);
  REQUIRE(count_reads(stream) == 19'980);
  for (const HostRequest& r : stream) CHECK(updated.contains(r.first.value));
}

TEST_CASE("profiles with the same seed are the same, with another seed they differ", "[workload]") {
  const auto once = profile({}), again = profile({}), other = profile({}, 2);
  std::size_t differing = 0;
  for (std::size_t k = 0; k < once.size(); ++k) {
    check_request(again[k], once[k].kind, once[k].first.value, once[k].sectors, once[k].at);
    differing += once[k].first != other[k].first ? 1 : 0;
  }
  CHECK(differing > 10'000);
}

TEST_CASE("a profile in an open loop arrives at its rate, as a Poisson process", "[workload]") {
  const auto stream = profile({{"pacing", "open"}, {"requests_per_s", "2000"}});
  // The time of the last of n arrivals has a relative standard deviation of 1 / sqrt(n).
  CHECK(s_from_ticks(stream.back().at) == Approx(10).epsilon(5 / std::sqrt(20'000.0)));
  std::size_t long_gaps = 0;
  for (std::size_t k = 1; k < stream.size(); ++k) long_gaps += stream[k].at - stream[k - 1].at > millisecond ? 1 : 0;
  const double share = std::exp(-2);
  CHECK(static_cast<double>(long_gaps) == Approx(20'000 * share).margin(5 * std::sqrt(20'000 * share * (1 - share))));
  CHECK(make({{"kind", "profile"}, {"requests", "20"}})->expected_requests() == 20);
}

TEST_CASE("an impossible profile is refused with the key and the reason", "[workload]") {
  const Keys four_kib{{"size_class_percent", "100 0 0 0"}, {"mean_write_bytes", "4096"}, {"mean_read_bytes", "5550"}};
  CHECK_THAT(refusal(four_kib), ContainsSubstring("host.workload.size_class_percent") &&
                                    ContainsSubstring("reads of 4096 instead of 5550 bytes") &&
                                    ContainsSubstring("keep only the means: size_class_percent: []"));
  CHECK_THAT(refusal({{"mean_read_bytes", "2000"}}), ContainsSubstring("multiples of size_step_bytes"));
  CHECK_THAT(refusal({{"size_class_percent", "50 50"}}), ContainsSubstring("bounds 4 classes"));
  CHECK_THAT(refusal({{"size_class_percent", "50 20 20 20"}}), ContainsSubstring("add up to 110"));
  CHECK_THAT(refusal({{"size_class_percent", "50 20 20 10"}, {"largest_request_bytes", "16384"}}),
             ContainsSubstring("share number 3") && ContainsSubstring("its class contains no size"));
  CHECK_THAT(refusal({{"size_class_bytes", "4096 4096"}}), ContainsSubstring("sizes must be ascending"));
  CHECK_THAT(refusal({{"largest_request_bytes", "10000"}}), ContainsSubstring("not a multiple of size_step_bytes"));
  CHECK_THAT(refusal({{"size_step_bytes", "1000"}}), ContainsSubstring("not a multiple of the sector size"));
  CHECK_THAT(refusal({{"alignment_bytes", "1000"}}), ContainsSubstring("not a multiple of the sector size"));
  CHECK_THAT(refusal({{"read_percent", "100"}}),
             ContainsSubstring("cold_read_percent") && ContainsSubstring("none of its 100000 requests is a write"));
  CHECK_THAT(refusal({{"updated_bytes", "4096"}}),
             ContainsSubstring("updated_bytes") && ContainsSubstring("does not fit"));
  CHECK_THAT(refusal({{"updated_bytes", "1073741824"}}), ContainsSubstring("has no room for an updated part"));
  CHECK_THAT(refusal({{"footprint_fraction", "0.0001"}}), ContainsSubstring("footprint_fraction"));
  CHECK_THAT(refusal({{"footprint_start_bytes", "4096"}}), ContainsSubstring("ends past the capacity"));
  CHECK_THAT(refusal({{"pacing", "open"}}), ContainsSubstring("requests_per_s: an open loop needs a rate"));
  CHECK_THAT(refusal({{"requests_per_s", "10"}}), ContainsSubstring("set pacing: open"));
}
