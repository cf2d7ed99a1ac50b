// SPDX-License-Identifier: Apache-2.0
#include "core/key_counts.h"

#include <map>

#include "catch.h"

namespace nandscape {
namespace {

TEST_CASE("keys are counted as by a map, while they come and go") {
  KeyCounts counts;
  std::map<std::uint64_t, int> reference;
  RandomStream random(1, "keys");
  for (int k = 0; k < 200'000; ++k) {
    // While few different keys are used, each is added several times. Many different keys make the table grow.
    const std::uint64_t key = random.below(k % 1000 < 500 ? 40 : 5000);
    const auto found = reference.find(key);
    REQUIRE(counts.contains(key) == (found != reference.end()));
    if (found == reference.end() || random.below(3) == 0) {
      counts.add(key);
      ++reference[key];
    } else {
      counts.remove(key);
      if (--found->second == 0) reference.erase(found);
    }
  }
  for (const auto& [key, count] : reference) {
    for (int k = 0; k < count; ++k) counts.remove(key);
  }
  for (std::uint64_t key = 0; key < 5000; ++key) REQUIRE_FALSE(counts.contains(key));
}

}  // namespace
}  // namespace nandscape
