// SPDX-License-Identifier: Apache-2.0
#include "nand/coding/merging.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "catch.h"

namespace nandscape::nand {
namespace {

using States = std::vector<std::uint8_t>;
using Pages = std::vector<std::optional<std::uint32_t>>;

std::vector<std::uint32_t> senses(const Coding& coding) {
  std::vector<std::uint32_t> by_page;
  for (std::uint32_t page = 0; page < coding.pages(); ++page) by_page.push_back(coding.senses(page));
  return by_page;
}

std::vector<std::uint32_t> places(const Coding& coding) {
  std::vector<std::uint32_t> by_state;
  for (std::uint32_t s = 0; s < coding.states(); ++s) by_state.push_back(coding.place(s));
  return by_state;
}

bool same(const Coding& a, const Coding& b) {
  if (a.pages() != b.pages() || places(a) != places(b)) return false;
  for (std::uint32_t s = 0; s < a.states(); ++s) {
    if (a.bits(s) != b.bits(s)) return false;
  }
  return true;
}

// Calls check(coding, valid_pages) for every subset of the pages of every coding.
template <typename Check>
void for_all_subsets(const Check& check) {
  for (const Choice& choice : codings()) {
    const Coding& coding = coding_named(choice.name);
    for (std::uint32_t valid = 0; valid < coding.states(); ++valid) {
      CAPTURE(choice.name, valid);
      check(coding, valid);
    }
  }
}

// Compares with Figure 5 of the paper. States are numbered from 0 here, from 1 in the paper.
TEST_CASE("three-bit cells without their LSB merge into S5 to S8") {
  const Merging merging = merge(coding_named("tlc_124"), 0b110);
  CHECK(merging.target == States{7, 6, 5, 4, 4, 5, 6, 7});
  CHECK(merging.kept == States{4, 5, 6, 7});
  CHECK(merging.new_page == Pages{std::nullopt, 0, 1});
  CHECK(places(merging.coding) == std::vector<std::uint32_t>{4, 5, 6, 7});
  CHECK(senses(merging.coding) == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE("three-bit cells with only their MSB are read with one sense") {
  const Merging merging = merge(coding_named("tlc_124"), 0b100);
  CHECK(merging.target == States{7, 6, 6, 7, 7, 6, 6, 7});
  CHECK(merging.new_page == Pages{std::nullopt, std::nullopt, 0});
  CHECK(senses(merging.coding) == std::vector<std::uint32_t>{1});
}

// Compares with Figure 6 of the paper. Bits are numbered from 0 here, from 1 in the paper.
TEST_CASE("four-bit cells without bits 1 and 2 are read with one and two senses") {
  const Merging merging = merge(coding_named("qlc_1248"), 0b1100);
  CHECK(merging.kept == States{12, 13, 14, 15});
  CHECK(merging.new_page == Pages{std::nullopt, std::nullopt, 0, 1});
  CHECK(senses(merging.coding) == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE("the remaining pages take the senses that their merged states need") {
  struct Case {
    const char* coding;
    std::uint32_t valid;
    std::vector<std::uint32_t> senses;
  };
  const std::vector<Case> cases = {
      {"mlc_12", 0b10, {1}},        {"mlc_12", 0b01, {1}},           {"mlc_13", 0b10, {1}},
      {"mlc_13", 0b01, {1}},        {"tlc_124", 0b110, {1, 2}},      {"tlc_124", 0b101, {1, 3}},
      {"tlc_124", 0b011, {1, 2}},   {"tlc_124", 0b100, {1}},         {"tlc_124", 0b010, {1}},
      {"tlc_124", 0b001, {1}},      {"tlc_232", 0b110, {1, 2}},      {"tlc_232", 0b101, {1, 2}},
      {"tlc_232", 0b011, {1, 2}},   {"tlc_232", 0b100, {1}},         {"tlc_232", 0b010, {1}},
      {"tlc_232", 0b001, {1}},      {"qlc_1248", 0b1110, {1, 2, 4}}, {"qlc_1248", 0b1100, {1, 2}},
      {"qlc_1248", 0b1000, {1}},    {"qlc_1248", 0b1011, {1, 2, 7}}, {"qlc_4434", 0b1110, {2, 3, 4}},
      {"qlc_4434", 0b1100, {1, 2}}, {"qlc_4434", 0b1000, {1}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.coding, c.valid);
    CHECK(senses(merge(coding_named(c.coding), c.valid).coding) == c.senses);
  }
}

TEST_CASE("states kept by a merging need not be neighbours") {
  // The CSB is 1 in S1, S2, S7 and S8. The highest state of each bit value is kept, which is S8 for 1 and S6 for 0.
  const Merging merging = merge(coding_named("tlc_124"), 0b010);
  CHECK(places(merging.coding) == std::vector<std::uint32_t>{5, 7});
  CHECK(senses(merging.coding) == std::vector<std::uint32_t>{1});
}

TEST_CASE("cells only move up and keep their valid bits") {
  for_all_subsets([](const Coding& coding, std::uint32_t valid) {
    const Merging merging = merge(coding, valid);
    REQUIRE(merging.target.size() == coding.states());
    REQUIRE(merging.kept.size() == merging.coding.states());
    for (std::uint32_t s = 0; s < coding.states(); ++s) {
      const std::uint32_t target = merging.target[s];
      CHECK(target >= s);
      CHECK((coding.bits(target) & valid) == (coding.bits(s) & valid));
      CHECK(merging.target[target] == target);
    }
  });
}

TEST_CASE("the merged coding reads the valid pages' bits at the kept states' places") {
  for_all_subsets([](const Coding& coding, std::uint32_t valid) {
    const Merging merging = merge(coding, valid);
    for (std::uint32_t s = 0; s < merging.coding.states(); ++s) {
      const std::uint32_t before = merging.kept[s];
      CHECK(merging.coding.place(s) == coding.place(before));
      for (std::uint32_t page = 0; page < coding.pages(); ++page) {
        REQUIRE(merging.new_page[page].has_value() == (valid >> page & 1));
        if (merging.new_page[page]) CHECK(merging.coding.bit(s, *merging.new_page[page]) == coding.bit(before, page));
      }
    }
  });
}

TEST_CASE("merging never adds senses") {
  for_all_subsets([](const Coding& coding, std::uint32_t valid) {
    const Merging merging = merge(coding, valid);
    for (std::uint32_t page = 0; page < coding.pages(); ++page) {
      if (merging.new_page[page]) CHECK(merging.coding.senses(*merging.new_page[page]) <= coding.senses(page));
    }
  });
}

TEST_CASE("merging with all pages valid changes nothing") {
  for (const Choice& choice : codings()) {
    CAPTURE(choice.name);
    const Coding& coding = coding_named(choice.name);
    const Merging merging = merge(coding, coding.states() - 1);
    CHECK(same(merging.coding, coding));
    for (std::uint32_t s = 0; s < coding.states(); ++s) CHECK(merging.target[s] == s);
  }
}

TEST_CASE("merging twice equals merging once with the pages still valid") {
  for_all_subsets([](const Coding& coding, std::uint32_t valid) {
    const Merging first = merge(coding, valid);
    for (std::uint32_t still_valid = 0; still_valid < first.coding.states(); ++still_valid) {
      CAPTURE(still_valid);
      std::uint32_t valid_at_last = 0;
      for (std::uint32_t page = 0; page < coding.pages(); ++page) {
        if (first.new_page[page] && (still_valid >> *first.new_page[page] & 1)) valid_at_last |= 1u << page;
      }
      const Merging second = merge(first.coding, still_valid);
      const Merging once = merge(coding, valid_at_last);
      CHECK(same(second.coding, once.coding));
      for (std::uint32_t s = 0; s < coding.states(); ++s) {
        const auto halfway = std::find(first.kept.begin(), first.kept.end(), first.target[s]) - first.kept.begin();
        CHECK(first.kept[second.target[static_cast<std::size_t>(halfway)]] == once.target[s]);
      }
    }
  });
}

TEST_CASE("a coding cannot keep a page that it lacks") {
  CHECK_THROWS_AS(merge(coding_named("mlc_12"), 0b100), std::invalid_argument);
}

}  // namespace
}  // namespace nandscape::nand
