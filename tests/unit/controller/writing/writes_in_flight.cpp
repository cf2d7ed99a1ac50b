// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/unit_write.h"

#include <deque>
#include <map>

#include "catch.h"
#include "core/random.h"
#include "fakes/fake_unit.h"

namespace nandscape::controller {
namespace {

TEST_CASE("the write in flight is found by page and by range of pages") {
  WritesInFlight writes;
  std::deque<PlainUnit> units;
  std::map<std::uint64_t, UnitWrite*> reference;
  RandomStream random(1, "writes");
  // There are more pages than hash chains at first, so that chains hold several pages and the table must add chains.
  for (int k = 0; k < 100'000; ++k) {
    const std::uint64_t lpn = random.below(5000);
    const auto found = reference.find(lpn);
    REQUIRE(writes.find(Lpn(lpn)) == (found == reference.end() ? nullptr : found->second));
    if (found == reference.end()) {
      UnitWrite& write = units.emplace_back();
      write.lpn = Lpn(lpn);
      writes.insert(write);
      reference[lpn] = &write;
    } else {
      REQUIRE(writes.erase(*found->second));
      REQUIRE_FALSE(writes.erase(*found->second));
      reference.erase(found);
    }
    if (k % 100 == 0) {
      const std::uint64_t first = random.below(5000), count = 1 + random.below(6);
      const auto in_range = reference.lower_bound(first);
      const bool any = in_range != reference.end() && in_range->first < first + count;
      const UnitWrite* write = writes.find(Lpn(first), count);
      REQUIRE((write != nullptr) == any);
      if (write != nullptr) REQUIRE(write->lpn.value - first < count);
    }
  }
  CHECK(writes.empty() == reference.empty());
  for (const auto& [lpn, write] : reference) writes.erase(*write);
  CHECK(writes.empty());
  CHECK(writes.find(Lpn(0), 5000) == nullptr);
}

}  // namespace
}  // namespace nandscape::controller
