// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/packed_numbers.h"

#include <algorithm>
#include <vector>

#include "catch.h"
#include "core/archive.h"
#include "core/random.h"

namespace nandscape::controller {
namespace {

TEST_CASE("packed numbers agree with a plain vector") {
  // Numbers of one, two, three, five and eight bytes.
  const std::uint64_t most =
      GENERATE(std::uint64_t{1}, std::uint64_t{256}, std::uint64_t{65536}, std::uint64_t{1} << 32, ~std::uint64_t{0});
  constexpr std::uint64_t count = 20'000;  // several pages of memory
  PackedNumbers numbers(count, most);
  std::vector<std::uint64_t> reference(count);
  RandomStream random(1, "packed_numbers");
  for (int k = 0; k < 50'000; ++k) {
    const std::uint64_t place = random.below(4) == 0 ? count - 1 - random.below(3) : random.below(count);
    if (k % 500 == 0) {
      const std::uint64_t cleared = random.below(count - place + 1);
      numbers.clear(place, cleared);
      std::fill_n(reference.begin() + static_cast<std::ptrdiff_t>(place), cleared, 0);
    } else {
      const std::uint64_t number = random.below(2) == 0 ? most : random.below(most);
      numbers.set(place, number);
      reference[place] = number;
    }
  }
  for (std::uint64_t place = 0; place < count; ++place) REQUIRE(numbers[place] == reference[place]);

  Archive saved;
  numbers.persist(saved, 100, 15'000);
  const std::vector<std::byte> bytes = saved.take();
  PackedNumbers restored(count, most);
  Archive archive(bytes);
  restored.persist(archive, 100, 15'000);
  archive.finish();
  for (std::uint64_t place = 0; place < count; ++place) {
    REQUIRE(restored[place] == (place >= 100 && place < 15'100 ? reference[place] : 0));
  }
}

TEST_CASE("a table of packed numbers takes memory only where numbers are set") {
  // A table of 100 GB, of which a few numbers are used.
  constexpr std::uint64_t count = 20'000'000'000;
  PackedNumbers numbers(count, std::uint64_t{1} << 33);
  numbers.set(count - 1, 7);
  CHECK(numbers[0] == 0);
  CHECK(numbers[count - 1] == 7);
  numbers.clear();
  CHECK(numbers[count - 1] == 0);
}

}  // namespace
}  // namespace nandscape::controller
