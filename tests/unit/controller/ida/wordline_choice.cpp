// SPDX-License-Identifier: Apache-2.0
#include "controller/ida/wordline_choice.h"

#include <bit>

#include "catch.h"

namespace nandscape::controller {
namespace {

constexpr PageSet lsb = 1, csb = 2, msb = 4;

// Returns a TLC flash with the 1-2-4 coding. A read lasts 50 us for its own page, plus 50 us for each valid page below
// that page.
RefreshContext flash() {
  RefreshContext flash;
  flash.t_adjust_ms = 2.3;
  flash.t_prog_ms = 2.3;
  flash.pages_per_wordline = 3;
  flash.read_us = [](std::uint32_t type, std::uint32_t valid_pages) {
    return 50.0 * (1 + std::popcount(valid_pages & ((PageSet{1} << type) - 1)));
  };
  return flash;
}

TEST_CASE("pages stay in place as in Table I") {
  CHECK(staying_pages(lsb | csb | msb, 3) == (csb | msb));
  CHECK(staying_pages(csb | msb, 3) == (csb | msb));
  CHECK(staying_pages(lsb | msb, 3) == msb);
  CHECK(staying_pages(msb, 3) == msb);
  for (const PageSet valid : {lsb | csb, csb, lsb, PageSet{0}}) CHECK(staying_pages(valid, 3) == 0);
  const WordlineChoice all(StayingWordlines::all, flash());
  for (PageSet valid = 0; valid < 8; ++valid) CHECK(all.staying(valid, {}) == staying_pages(valid, 3));
}

TEST_CASE("wordlines stay if their reads repay the adjustment") {
  const WordlineChoice repaying(StayingWordlines::repaying, flash());
  // If the page stays, one program is saved, and one adjustment of the same duration is needed. The page must also be
  // read back once, 50 us, and each of its later reads is 100 us shorter.
  CHECK(repaying.staying(msb, {.reads = 0.49}) == 0);
  CHECK(repaying.staying(msb, {.reads = 0.51}) == msb);
  // If two pages stay, two programs are saved. This repays the adjustment even without later reads.
  CHECK(repaying.staying(csb | msb, {}) == (csb | msb));
  // If half of the pages must be programmed nevertheless, 150 us remain to be repaid, and each read is only 50 us
  // shorter.
  CHECK(repaying.staying(csb | msb, {.reads = 2.9, .corrupted = 0.5}) == 0);
  CHECK(repaying.staying(csb | msb, {.reads = 3.1, .corrupted = 0.5}) == (csb | msb));
  CHECK(repaying.staying(msb, {.reads = 1e6, .corrupted = 1}) == 0);
  CHECK(repaying.staying(lsb | csb, {.reads = 1e6}) == 0);
}

}  // namespace
}  // namespace nandscape::controller
