// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "catch.h"
#include "controller/streams/hot_pages.h"
#include "controller/streams/stream_policy.h"
#include "core/random.h"

namespace nandscape::controller {
namespace {

std::unique_ptr<StreamPolicy> make(const std::string& name) { return stream_registry().make({name, nullptr}); }

TEST_CASE("every policy uses only the streams it declares") {
  RandomStream random(1, "streams");
  for (const Choice& variant : stream_registry().variants()) {
    INFO(variant.name);
    const auto policy = make(std::string(variant.name));
    REQUIRE(policy->streams() >= 1);
    for (int k = 0; k < 1000; ++k) {
      REQUIRE(policy->stream_of_write(Lpn(random.below(10)), 0) < policy->streams());
      const auto from = static_cast<std::uint8_t>(random.below(policy->streams()));
      REQUIRE(policy->stream_of_move(Lpn(random.below(10)), from) < policy->streams());
    }
  }
}

TEST_CASE("by_source separates host writes from moves, single does not") {
  CHECK(make("by_source")->stream_of_write(Lpn(1), 0) != make("by_source")->stream_of_move(Lpn(1), 0));
  CHECK(make("single")->streams() == 1);
}

TEST_CASE("hot_cold treats a page as hot once it was written often, and moves it to the cold stream") {
  const auto policy = make("hot_cold");
  const std::uint8_t cold = policy->stream_of_write(Lpn(7), 0);
  CHECK(policy->stream_of_write(Lpn(7), 0) == cold);
  const std::uint8_t hot = policy->stream_of_write(Lpn(7), 0);  // three filters contain the page: 2 + 1.5 + 1
  CHECK(hot != cold);
  CHECK(policy->stream_of_write(Lpn(8), 0) == cold);
  CHECK(policy->stream_of_move(Lpn(7), hot) == cold);
}

TEST_CASE("a page that is no longer written cools down") {
  constexpr std::uint32_t window = 1000;
  HotPages pages(4, window, 4);
  for (int k = 0; k < 4; ++k) pages.write(Lpn(1));
  REQUIRE(pages.write(Lpn(1)));
  // Every write ages the filters. After four windows without a write to page 1, all filters have forgotten it.
  for (std::uint32_t k = 0; k < 4 * window; ++k) pages.write(Lpn(2));
  CHECK_FALSE(pages.write(Lpn(1)));
}

TEST_CASE("new pages are rarely mistaken for hot ones") {
  constexpr std::uint32_t window = 4096;
  HotPages pages(4, window, 4);
  int hot = 0;
  constexpr int writes = 40 * window;
  for (std::uint64_t k = 0; k < writes; ++k) hot += pages.write(Lpn(k));
  // A new page is mistaken for a hot page only after false hits. A false hit has a probability of (1 - exp(-2/16))^2 =
  // 1.4 % in each full filter.
  CHECK(hot < writes * 0.014);
}

TEST_CASE("under a skewed load, hot and cold pages are told apart") {
  // One tenth of the pages receives nine tenths of the writes, so a hot page is written 81 times as often as a cold
  // page.
  constexpr std::uint64_t all = 20'000, popular = 2'000;
  HotPages pages(4, 4096, 4);
  RandomStream random(1, "skew");
  int right_hot = 0, right_cold = 0, hot_writes = 0, cold_writes = 0;
  for (int k = 0; k < 400'000; ++k) {
    const bool is_hot = random.uniform() < 0.9;
    const Lpn lpn(is_hot ? random.below(popular) : popular + random.below(all - popular));
    const bool taken_for_hot = pages.write(lpn);
    if (k < 40'000) continue;
    (is_hot ? hot_writes : cold_writes)++;
    right_hot += is_hot && taken_for_hot;
    right_cold += !is_hot && !taken_for_hot;
  }
  CHECK(right_hot > 0.9 * hot_writes);  // measured: 92 %
  CHECK(right_cold > 0.95 * cold_writes);
}

}  // namespace
}  // namespace nandscape::controller
