// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "catch.h"
#include "minimise.h"

namespace nandscape::soak {
namespace {

TEST_CASE("operations and settings that a failure does not need are removed") {
  Sequence sequence;
  sequence.settings = {"a=1", "b=2", "c=3"};
  for (std::uint64_t k = 0; k < 100; ++k) sequence.operations.push_back({Kind::write, k, 16});
  sequence.operations[37].kind = Kind::reset;
  sequence.operations[80].kind = Kind::flush;
  // Returns whether the sequence sets b=2, writes two or more sectors, then resets the drive, and later flushes it.
  // This is the failure to be minimised.
  const auto fails = [](const Sequence& s) {
    const auto is = [](Kind kind) { return [kind](const Operation& o) { return o.kind == kind; }; };
    const auto reset = std::find_if(s.operations.begin(), s.operations.end(), is(Kind::reset));
    const bool written =
        std::any_of(s.operations.begin(), reset, [](const Operation& o) { return o.kind == Kind::write && o.b >= 2; });
    return written && std::any_of(reset, s.operations.end(), is(Kind::flush)) &&
           std::find(s.settings.begin(), s.settings.end(), "b=2") != s.settings.end();
  };
  REQUIRE(fails(sequence));
  const Sequence small = minimised(sequence, fails, 10'000);
  CHECK(small.settings == std::vector<std::string>{"b=2"});
  CHECK(small.operations == std::vector<Operation>{{Kind::write, 0, 2}, {Kind::reset}, {Kind::flush}});
  unsigned trials = 0;
  const auto counted = [&](const Sequence& s) { return ++trials, fails(s); };
  CHECK(fails(minimised(sequence, counted, 7)));
  CHECK(trials == 7);
}

}  // namespace
}  // namespace nandscape::soak
