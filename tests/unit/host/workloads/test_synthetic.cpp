// SPDX-License-Identifier: Apache-2.0
// Compares the kinds, sizes and arrival times of synthetic requests with closed forms.
#include <cmath>

#include "workload_harness.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

// Checks that a count is within five standard deviations of its mean. n is the number of independent trials.
void check_share(std::uint64_t count, std::uint64_t n, double probability) {
  const auto trials = static_cast<double>(n);
  INFO(count << " of " << n << ", expected a share of " << probability);
  CHECK(std::abs(static_cast<double>(count) - trials * probability) <=
        5 * std::sqrt(trials * probability * (1 - probability)));
}

template <class Property>
std::uint64_t count_if(const std::vector<HostRequest>& requests, Property property) {
  std::uint64_t count = 0;
  for (const HostRequest& request : requests) count += property(request) ? 1 : 0;
  return count;
}

std::vector<double> gaps_us(const std::vector<HostRequest>& requests) {
  std::vector<double> gaps;
  for (std::size_t k = 1; k < requests.size(); ++k) gaps.push_back(us_from_ticks(requests[k].at - requests[k - 1].at));
  return gaps;
}

}  // namespace

TEST_CASE("reads, trims and writes occur in their shares", "[workload]") {
  const auto requests = requests_of({{"read_percent", "65"}, {"trim_percent", "5"}});
  REQUIRE(requests.size() == 100'000);
  check_share(count_if(requests, [](const auto& r) { return r.kind == RequestKind::read; }), requests.size(), 0.65);
  check_share(count_if(requests, [](const auto& r) { return r.kind == RequestKind::trim; }), requests.size(), 0.05);
  check_share(count_if(requests, [](const auto& r) { return r.kind == RequestKind::write; }), requests.size(), 0.30);
  for (const std::string percent : {"0", "100"}) {
    for (const HostRequest& request : requests_of({{"read_percent", percent}, {"requests", "1000"}})) {
      CHECK((request.kind == RequestKind::read) == (percent == "100"));
    }
  }
}

TEST_CASE("sizes occur by weight, aligned to the smallest and inside the footprint", "[workload]") {
  const auto requests = requests_of({{"block_mix.0.block_bytes", "4096"},
                                     {"block_mix.0.weight", "3"},
                                     {"block_mix.1.block_bytes", "65536"},
                                     {"block_mix.1.weight", "1"},
                                     {"footprint_start_bytes", "4096"},
                                     {"footprint_bytes", "1048576"}});
  check_share(count_if(requests, [](const auto& r) { return r.sectors == 8; }), requests.size(), 0.75);
  check_share(count_if(requests, [](const auto& r) { return r.sectors == 128; }), requests.size(), 0.25);
  CHECK(count_if(requests, [](const auto& r) { return r.first.value % 8 != 0; }) == 0);
  CHECK(count_if(requests, [](const auto& r) { return r.first.value < 8 || r.first.value + r.sectors > 2056; }) == 0);
}

TEST_CASE("an alignment finer than the size gives overlapping requests", "[workload]") {
  const auto requests = requests_of({{"alignment_bytes", "512"}});
  check_share(count_if(requests, [](const auto& r) { return r.first.value % 8 == 0; }), requests.size(), 1.0 / 8);
}

TEST_CASE("the same seed gives the same requests, another seed gives others", "[workload]") {
  const Keys keys{{"pattern", "zipf"}, {"requests", "1000"}};
  const auto once = requests_of(keys, one_tib_sectors, 1);
  const auto again = requests_of(keys, one_tib_sectors, 1);
  const auto other = requests_of(keys, one_tib_sectors, 2);
  std::size_t differing = 0;
  for (std::size_t k = 0; k < once.size(); ++k) {
    check_request(again[k], once[k].kind, once[k].first.value, once[k].sectors, once[k].at);
    differing += once[k].first != other[k].first ? 1 : 0;
  }
  CHECK(differing > 500);
}

TEST_CASE("another share of reads leaves every address unchanged", "[workload]") {
  const auto some = requests_of({{"read_percent", "10"}, {"requests", "1000"}});
  const auto many = requests_of({{"read_percent", "90"}, {"requests", "1000"}});
  for (std::size_t k = 0; k < some.size(); ++k) CHECK(some[k].first == many[k].first);
}

TEST_CASE("a closed loop carries the think time", "[workload]") {
  for (const HostRequest& request : requests_of({{"think_time_us", "2.5"}, {"requests", "10"}})) {
    CHECK(request.at == 2500 * nanosecond);
  }
  CHECK(make({{"requests", "10"}})->expected_requests() == 10);
}

TEST_CASE("constant arrivals are equally spaced and do not drift", "[workload]") {
  const auto requests = requests_of({{"pacing", "open"}, {"arrival", "constant"}, {"rate_iops", "3"}});
  for (std::size_t k = 0; k < requests.size(); ++k) {
    CHECK(requests[k].at == ticks_from_s(static_cast<double>(k) / 3));
  }
}

TEST_CASE("poisson arrivals: exponential gaps, whose mean equals their deviation", "[workload]") {
  const auto requests = requests_of({{"pacing", "open"}, {"rate_iops", "20000"}, {"requests", "200001"}});
  const auto gaps = gaps_us(requests);
  const auto n = static_cast<double>(gaps.size());
  double sum = 0;
  double squares = 0;
  for (const double gap : gaps) {
    sum += gap;
    squares += gap * gap;
  }
  const double mean = sum / n;
  const double variance = squares / n - mean * mean;
  // The mean of n exponential gaps has a standard deviation of 50 / sqrt(n) us, and their variance one of 50^2 sqrt(8 /
  // n).
  CHECK(mean == Approx(50).margin(5 * 50 / std::sqrt(n)));
  CHECK(variance == Approx(2500).margin(5 * 2500 * std::sqrt(8 / n)));
  std::uint64_t long_gaps = 0;
  for (const double gap : gaps) long_gaps += gap > 100 ? 1 : 0;
  check_share(long_gaps, gaps.size(), std::exp(-2));
}

TEST_CASE("bursts: no request arrives in the silences, and the mean rate holds", "[workload]") {
  const auto requests = requests_of(
      {{"pacing", "open"}, {"arrival", "bursty"}, {"burst_on_ms", "2"}, {"burst_off_ms", "6"}, {"rate_iops", "10000"}});
  CHECK(count_if(requests, [](const auto& r) { return r.at % (8 * millisecond) >= 2 * millisecond; }) == 0);
  // At the mean rate, 100,000 requests take 10 s. The margin is the deviation of a Poisson count plus one period.
  CHECK(s_from_ticks(requests.back().at) == Approx(10).margin(5 * 10 / std::sqrt(1e5) + 0.008));
}
