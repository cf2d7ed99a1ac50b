// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "assign_parameters.h"
#include "catch.h"
#include "controller/streams/stream_policy.h"
#include "controller/streams/update_counts.h"
#include "core/archive.h"
#include "core/random.h"

namespace nandscape::controller {
namespace {

std::unique_ptr<StreamPolicy> make(const std::string& name, std::uint64_t units = 100, std::uint64_t known_hot = 0) {
  auto policy = stream_registry().make({name, nullptr});
  policy->begin(units, known_hot);
  return policy;
}

TEST_CASE("every policy uses only the streams it declares") {
  RandomStream random(1, "streams");
  for (const Choice& variant : stream_registry().variants()) {
    INFO(variant.name);
    const auto policy = make(std::string(variant.name), 10, 3);
    REQUIRE(policy->streams() >= std::max(policy->write_streams(), policy->move_streams()));
    REQUIRE(policy->streams() <= policy->write_streams() + policy->move_streams());
    for (int k = 0; k < 1000; ++k) {
      REQUIRE(policy->stream_of_write(Lpn(random.below(10)), 0) < policy->write_streams());
      const std::uint8_t stream = policy->stream_of_move(Lpn(random.below(10)));
      REQUIRE(stream < policy->streams());
      REQUIRE(stream >= policy->streams() - policy->move_streams());
    }
  }
}

TEST_CASE("by_source separates host writes from moves, single does not") {
  CHECK(make("by_source")->stream_of_write(Lpn(1), 0) != make("by_source")->stream_of_move(Lpn(1)));
  CHECK(make("single")->streams() == 1);
}

TEST_CASE("hot_cold takes a unit for hot at its third write, and moves it to the stream of its count") {
  const auto policy = make("hot_cold");
  constexpr Lpn lpn(70);
  const std::uint8_t cold = policy->stream_of_write(lpn, 0);
  CHECK(policy->stream_of_write(lpn, 0) == cold);
  const std::uint8_t hot = policy->stream_of_write(lpn, 0);
  CHECK(hot < cold);
  CHECK(policy->stream_of_move(lpn) == hot);
  CHECK(policy->stream_of_write(Lpn(71), 0) == cold);
  CHECK(policy->stream_of_move(Lpn(71)) == cold);
  // The hand halves the counter of unit 70 once while unit 0 is written 100 times.
  for (int k = 0; k < 100; ++k) policy->stream_of_write(Lpn(0), 0);
  CHECK(policy->stream_of_move(lpn) == cold);
}

TEST_CASE("each hot stream has twice the threshold of the next") {
  StreamParameters parameters;
  assign(parameters, {{"policy", "hot_cold"}, {"hot_streams", "3"}});
  const auto policy = stream_registry().make(parameters.policy);
  policy->begin(100, 0);
  std::vector<int> streams;
  for (int k = 0; k < 13; ++k) streams.push_back(policy->stream_of_write(Lpn(99), 0));
  CHECK(streams == std::vector<int>{3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0});
}

TEST_CASE("by_address knows the hot units, and its counters say so") {
  const auto policy = make("by_address", 100, 20);
  for (std::uint64_t k = 0; k < 100; ++k) CHECK((policy->stream_of_write(Lpn(k), 0) == 0) == (k < 20));
  CHECK(policy->stream_of_move(Lpn(19)) == 0);
  CHECK(policy->stream_of_move(Lpn(20)) == 1);
  policy->collected(1, 64, 48);
  const StreamCounters counters = policy->counters();
  CHECK(counters.hot.written_units == 20);
  CHECK(counters.cold.written_units == 80);
  CHECK(counters.known_hot_units == 20);
  CHECK(counters.found_hot_units == 20);
  CHECK(counters.cold.victims == 1);
  CHECK(counters.cold.victim_units == 64);
  CHECK(counters.cold.valid_units == 48);
  CHECK(counters.hot.victims == 0);
}

TEST_CASE("the counter of a unit that is written r times per round lies between r - 1 and 2r - 1") {
  constexpr std::uint64_t units = 1000;
  UpdateCounts counts(units);
  const std::uint32_t rate = GENERATE(1u, 2u, 3u, 5u, 7u);
  std::uint32_t least = UpdateCounts::most, greatest = 0;
  for (int round = 0; round < 10; ++round) {
    for (std::uint64_t k = 0; k < units; ++k) {
      counts.write(k % (units / rate) == 17 ? Lpn(500) : Lpn(1 + k % 400));
      if (round < 5) continue;
      least = std::min(least, counts.of(Lpn(500)));
      greatest = std::max(greatest, counts.of(Lpn(500)));
    }
  }
  CHECK(least == rate - 1);
  CHECK(greatest == 2 * rate - 1);
}

TEST_CASE("a counter does not overflow") {
  UpdateCounts counts(1000);
  for (int k = 0; k < 500; ++k) counts.write(Lpn(999));
  CHECK(counts.of(Lpn(999)) == UpdateCounts::most);
}

TEST_CASE("under a skewed load, hot and cold units are told apart") {
  // One tenth of the units receives nine tenths of the writes, so a hot unit is written 81 times as often as a cold
  // one. A hot counter is halved from about 18, which is above its limit, so it hardly ever falls below 3. The counter
  // of a cold unit before its write is the sum of its writes in earlier rounds, 0.11 in each, mostly 0.
  constexpr std::uint64_t all = 20'000, popular = 2'000;
  const auto policy = make("hot_cold", all, popular);
  RandomStream random(1, "skew");
  const auto write = [&](int writes) {
    for (int k = 0; k < writes; ++k) {
      const bool is_hot = random.uniform() < 0.9;
      policy->stream_of_write(Lpn(is_hot ? random.below(popular) : popular + random.below(all - popular)), 0);
    }
  };
  write(100'000);
  const StreamCounters before = policy->counters();
  write(400'000);
  const StreamCounters after = policy->counters();
  const auto share = [](std::uint64_t part, std::uint64_t of) {
    return static_cast<double>(part) / static_cast<double>(of);
  };
  const std::uint64_t found = after.found_hot_units - before.found_hot_units;
  CHECK(share(found, after.hot.written_units - before.hot.written_units) > 0.99);
  CHECK(share(found, after.known_hot_units - before.known_hot_units) > 0.99);
}

TEST_CASE("counters are restored, and a counter above the limit is refused") {
  UpdateCounts counts(10'000);
  RandomStream random(1, "counts");
  for (int k = 0; k < 30'000; ++k) counts.write(Lpn(4096 + random.below(100)));
  Archive saved;
  counts.persist(saved);
  std::vector<std::byte> bytes = saved.take();
  UpdateCounts restored(10'000);
  restored.write(Lpn(1));
  Archive loaded(bytes);
  restored.persist(loaded);
  loaded.finish();
  for (std::uint64_t k = 0; k < 10'000; ++k) REQUIRE(restored.of(Lpn(k)) == counts.of(Lpn(k)));
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    if (bytes[k] != std::byte{UpdateCounts::most}) continue;
    bytes[k] = std::byte{UpdateCounts::most + 1};
    Archive forged(bytes);
    CHECK_THROWS_AS(restored.persist(forged), ArchiveError);
    return;
  }
  FAIL("no counter has reached its limit");
}

}  // namespace
}  // namespace nandscape::controller
