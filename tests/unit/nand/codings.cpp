// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.h"
#include "nand/coding/coding.h"

namespace nandscape::nand {
namespace {

using Numbers = std::vector<std::uint32_t>;

// Returns the bit that is read from a cell when `levels_below` of the page's levels are below its threshold voltage.
// This is the bit of the lowest state, inverted once for each of these levels.
bool read_bit(const Coding& coding, std::uint32_t page, std::uint32_t levels_below) {
  return coding.bit(0, page) != (levels_below % 2 == 1);
}

Numbers levels(std::string_view name, std::uint32_t page) {
  const auto of_page = coding_named(name).levels(page);
  return {of_page.begin(), of_page.end()};
}

TEST_CASE("pages of each coding take the number of senses in its name") {
  const std::vector<std::pair<std::string, Numbers>> all = {
      {"slc", {1}},           {"mlc_12", {1, 2}},         {"mlc_13", {3, 1}},         {"tlc_124", {1, 2, 4}},
      {"tlc_232", {2, 3, 2}}, {"qlc_1248", {1, 2, 4, 8}}, {"qlc_4434", {4, 4, 3, 4}},
  };
  REQUIRE(all.size() == codings().size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [name, senses] = all[i];
    CAPTURE(name);
    CHECK(codings()[i].name == name);
    const Coding& coding = coding_named(name);
    REQUIRE(coding.pages() == senses.size());
    for (std::uint32_t page = 0; page < coding.pages(); ++page) CHECK(coding.senses(page) == senses[page]);
  }
  CHECK_THROWS_AS(coding_named("plc"), std::logic_error);
}

TEST_CASE("each combination of bits has its state, the erased state holds ones, and places are state numbers") {
  for (const Choice& choice : codings()) {
    CAPTURE(choice.name);
    const Coding& coding = coding_named(choice.name);
    REQUIRE(coding.states() == 1u << coding.pages());
    CHECK(coding.bits(0) == coding.states() - 1);
    std::set<std::uint32_t> seen;
    for (std::uint32_t s = 0; s < coding.states(); ++s) {
      seen.insert(coding.bits(s));
      CHECK(coding.state_of(coding.bits(s)) == s);
      CHECK(coding.place(s) == s);
    }
    CHECK(seen.size() == coding.states());
  }
}

TEST_CASE("neighbouring states differ in one bit, except in the natural order") {
  for (const Choice& choice : codings()) {
    CAPTURE(choice.name);
    const Coding& coding = coding_named(choice.name);
    bool gray = true;
    for (std::uint32_t s = 1; s < coding.states(); ++s) {
      gray = gray && std::popcount(coding.bits(s) ^ coding.bits(s - 1)) == 1;
    }
    CHECK(gray == (choice.name != "mlc_13"));
  }
}

TEST_CASE("codings of published devices") {
  // The bits of LSB, CSB and MSB for the states S1 to S8, from Choi et al., Figure 2.
  const char* const conventional[] = {"111", "110", "100", "101", "001", "000", "010", "011"};
  const Coding& tlc = coding_named("tlc_124");
  for (std::uint32_t s = 0; s < 8; ++s) {
    CAPTURE(s);
    for (std::uint32_t page = 0; page < 3; ++page) CHECK(tlc.bit(s, page) == (conventional[s][page] == '1'));
  }
  CHECK(levels("tlc_124", 0) == Numbers{4});
  CHECK(levels("tlc_124", 1) == Numbers{2, 6});
  CHECK(levels("tlc_124", 2) == Numbers{1, 3, 5, 7});

  CHECK(levels("tlc_232", 0) == Numbers{1, 5});
  CHECK(levels("tlc_232", 1) == Numbers{2, 4, 6});
  CHECK(levels("tlc_232", 2) == Numbers{3, 7});

  // Gao et al.: the states are "11", "10", "01", "00" with the MSB on the left. The LSB needs all three levels, the MSB
  // only the middle one.
  CHECK(levels("mlc_13", 0) == Numbers{1, 2, 3});
  CHECK(levels("mlc_13", 1) == Numbers{2});
}

TEST_CASE("an invalid coding table is refused") {
  CHECK_NOTHROW(Coding(1, {1, 0}, {2, 5}));
  CHECK_THROWS_AS(Coding(2, {3, 2, 0}), std::invalid_argument);       // a missing state
  CHECK_THROWS_AS(Coding(1, {1, 0, 1, 0}), std::invalid_argument);    // too many states
  CHECK_THROWS_AS(Coding(2, {3, 2, 0, 2}), std::invalid_argument);    // a missing combination
  CHECK_THROWS_AS(Coding(2, {3, 2, 0, 4}), std::invalid_argument);    // a bit of a third page
  CHECK_THROWS_AS(Coding(1, {1, 0}, {0}), std::invalid_argument);     // a missing position
  CHECK_THROWS_AS(Coding(1, {1, 0}, {3, 3}), std::invalid_argument);  // two states at the same position
  CHECK_THROWS_AS(Coding(1, {1, 0}, {3, 1}), std::invalid_argument);  // the upper state is below the lower one
  CHECK_THROWS_AS(Coding(9, std::vector<std::uint8_t>(512)), std::invalid_argument);
}

TEST_CASE("a cell at the place of its state reads correctly on every page") {
  for (const Choice& choice : codings()) {
    CAPTURE(choice.name);
    const Coding& coding = coding_named(choice.name);
    for (std::uint32_t s = 0; s < coding.states(); ++s) {
      for (std::uint32_t page = 0; page < coding.pages(); ++page) {
        std::uint32_t below = 0;
        for (const std::uint8_t level : coding.levels(page)) below += level <= s ? 1 : 0;
        CHECK(read_bit(coding, page, below) == coding.bit(s, page));
      }
    }
  }
}

TEST_CASE("a cell one state too low has one wrong bit in a Gray code, and two in the middle of 11 10 01 00") {
  const auto wrong_bits = [](const Coding& coding, std::uint32_t state, std::uint32_t sensed) {
    std::uint32_t wrong = 0;
    for (std::uint32_t page = 0; page < coding.pages(); ++page) {
      std::uint32_t below = 0;
      for (const std::uint8_t level : coding.levels(page)) below += level <= sensed ? 1 : 0;
      wrong += read_bit(coding, page, below) != coding.bit(state, page) ? 1 : 0;
    }
    return wrong;
  };
  for (std::uint32_t s = 1; s < 8; ++s) CHECK(wrong_bits(coding_named("tlc_232"), s, s - 1) == 1);
  CHECK(wrong_bits(coding_named("mlc_13"), 1, 0) == 1);
  CHECK(wrong_bits(coding_named("mlc_13"), 2, 1) == 2);
  CHECK(wrong_bits(coding_named("mlc_13"), 3, 2) == 1);
}

}  // namespace
}  // namespace nandscape::nand
