// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "catch.h"
#include "draw.h"
#include "sequence.h"

namespace nandscape::soak {
namespace {

TEST_CASE("a sequence reads back as it was written") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Sequence drawn = draw_sequence(seed);
    std::istringstream text("# a comment\n\n" + drawn.text());
    const Sequence read = parse_sequence(text);
    CHECK(read.settings == drawn.settings);
    CHECK(read.operations == drawn.operations);
    CHECK(draw_sequence(seed).text() == drawn.text());
  }
}

TEST_CASE("an invalid line is refused") {
  for (const char* text : {"---\nwrite 1", "---\nwrite 1 2 3", "---\nwrites 1 2", "policy", "---\nflush now"}) {
    std::istringstream stream(text);
    CHECK_THROWS_AS(parse_sequence(stream), std::runtime_error);
  }
}

}  // namespace
}  // namespace nandscape::soak
