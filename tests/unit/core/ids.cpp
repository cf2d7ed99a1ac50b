// SPDX-License-Identifier: Apache-2.0
#include "core/ids.h"

#include <type_traits>
#include <unordered_set>

#include "catch.h"

namespace nandscape {
namespace {

// An identifier must not convert implicitly to an identifier of another kind, or to or from a number.
static_assert(!std::is_convertible_v<Lpn, Ppn>);
static_assert(!std::is_constructible_v<Lpn, Ppn>);
static_assert(!std::is_convertible_v<std::uint64_t, Lpn>);
static_assert(!std::is_convertible_v<Lpn, std::uint64_t>);
static_assert(sizeof(Lpn) == 8 && sizeof(BlockId) == 4);

TEST_CASE("an identifier is invalid until it is given a value") {
  CHECK_FALSE(Ppn().valid());
  CHECK(Ppn(0).valid());
  CHECK_FALSE(Ppn(~std::uint64_t{0}).valid());
  CHECK_FALSE(BlockId().valid());
  CHECK(BlockId(0xfffffffe).valid());
}

TEST_CASE("identifiers compare by value and can be hashed") {
  CHECK(Lpn(3) == Lpn(3));
  CHECK(Lpn(3) != Lpn(4));
  CHECK(Lpn(3) < Lpn(4));
  CHECK(Lpn(3) < Lpn());
  std::unordered_set<Lpn> set;
  for (std::uint64_t k = 0; k < 100; ++k) set.insert(Lpn(k % 10));
  CHECK(set.size() == 10);
}

}  // namespace
}  // namespace nandscape
