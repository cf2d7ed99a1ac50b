// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/policies/vref_search.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <vector>

#include "catch.h"

namespace nandscape::controller {
namespace {

// Returns the steps that the search reads after the step `first`. `errors` returns the number of errors at a given
// step.
std::vector<unsigned> searched(VrefSearch& search, std::uint8_t first,
                               const std::function<unsigned(unsigned)>& errors) {
  std::vector<unsigned> steps;
  search.found(first, errors(first));
  while (const auto step = search.next()) {
    steps.push_back(*step);
    search.found(*step, errors(*step));
  }
  return steps;
}

TEST_CASE("the search goes downhill, and halves its stride where neither side is better") {
  VrefSearch search(40, 8);
  const auto steps = searched(search, 0, [](unsigned step) { return step < 19 ? 500 - 10 * step : 140 + 10 * step; });
  CHECK(steps == std::vector<unsigned>{8, 16, 24, 20, 12, 18, 19, 17});
  CHECK(search.best() == 18);
}

TEST_CASE("a search finds the best step of any valley in few reads, and reads no step twice") {
  for (unsigned last = 0; last <= 254; last += 1 + last / 3) {
    for (unsigned valley = 0; valley <= last; ++valley) {
      for (const unsigned stride : {1u, 3u, 8u, 64u}) {
        for (const unsigned first : {0u, valley / 2, last}) {
          VrefSearch search(static_cast<std::uint8_t>(last), stride);
          const auto errors = [=](unsigned step) {
            const unsigned distance = step < valley ? valley - step : 2 * (step - valley);
            return distance * distance;
          };
          std::vector<unsigned> steps = searched(search, static_cast<std::uint8_t>(first), errors);
          CHECK(search.best() == valley);
          CHECK(steps.size() <= last / stride + 3 * std::bit_width(stride) + 2);
          steps.push_back(first);
          std::sort(steps.begin(), steps.end());
          CHECK(std::adjacent_find(steps.begin(), steps.end()) == steps.end());
          CHECK(steps.back() <= last);
        }
      }
    }
  }
}

TEST_CASE("a stride of 0 disables the search") {
  VrefSearch search(40, 0);
  CHECK(searched(search, 7, [](unsigned) { return 1; }).empty());
  CHECK(search.best() == 7);
}

}  // namespace
}  // namespace nandscape::controller
