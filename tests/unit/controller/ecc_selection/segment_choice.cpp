// SPDX-License-Identifier: Apache-2.0
#include "controller/ecc_selection/segment_choice.h"

#include <array>
#include <vector>

#include "catch.h"
#include "controller/ecc_selection/ecc_selection.h"
#include "controller/mapping/page_tag.h"

namespace nandscape::controller {
namespace {

// Sha, Table III.
const SegmentChoice::Limits table_3{.lsb = {16221.0 / 16384, 9143.0 / 16384, 2704.0 / 16384},
                                    .msb = {1.0, 11846.0 / 16384, 4031.0 / 16384}};

TEST_CASE("pages have the last code whose limit no segment reaches") {
  const SegmentChoice choice(table_3, 4);
  REQUIRE(choice.finest_segments() == 8);
  const auto lsb = [&](double share) { return choice.of_lsb_page(std::vector<double>(8, share)); };
  const auto msb = [&](double share) { return choice.of_msb_page(std::vector<double>(8, share)); };
  // Of 16384 cells, so many are in 01 and 00, or in 01.
  const auto of = [](int cells) { return cells / 16384.0; };
  CHECK(lsb(of(16221)) == 0);
  CHECK(lsb(of(16220)) == 1);
  CHECK(lsb(of(9143)) == 1);
  CHECK(lsb(of(9142)) == 2);
  CHECK(lsb(of(2704)) == 2);
  CHECK(lsb(of(2703)) == 3);
  CHECK(msb(of(16384)) == 0);
  CHECK(msb(of(16383)) == 1);
  CHECK(msb(of(11846)) == 1);
  CHECK(msb(of(11845)) == 2);
  CHECK(msb(of(4031)) == 2);
  CHECK(msb(of(4030)) == 3);
}

TEST_CASE("the worst segment decides, and longer ones have the mean of theirs") {
  const SegmentChoice choice(table_3, 4);
  CHECK(choice.of_msb_page(std::vector{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}) == 3);
  CHECK(choice.of_msb_page(std::vector{0.1, 0.1, 0.1, 0.1, 0.3, 0.1, 0.1, 0.1}) == 2);
  CHECK(choice.of_msb_page(std::vector{0.0, 0.0, 0.7, 0.7, 0.0, 0.0, 0.0, 0.0}) == 2);
  CHECK(choice.of_msb_page(std::vector{0.0, 0.0, 0.8, 0.7, 0.0, 0.0, 0.0, 0.0}) == 1);
  CHECK(choice.of_msb_page(std::vector{0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0}) == 0);
}

TEST_CASE("codes without a limit are not chosen, and limits without a code say nothing") {
  CHECK(SegmentChoice(table_3, 6).of_msb_page(std::vector<double>(32, 0.0)) == 3);
  CHECK(SegmentChoice(table_3, 2).of_msb_page(std::vector<double>(2, 0.0)) == 1);
  CHECK(SegmentChoice(table_3, 1).of_msb_page(std::vector<double>(1, 0.0)) == 0);
}

// --- the policy

struct Chooser {
  explicit Chooser(bool keeps_data, ScrambleBytes scramble = {})
      : chooser(ecc_selection_registry().make({"cdber", nullptr})->make_chooser({4, keeps_data, std::move(scramble)})) {
  }

  PageToEncode page(std::optional<std::uint32_t> type) const { return {.tag = tag, .data = bytes, .type = type}; }

  std::unique_ptr<CodeChooser> chooser;
  std::array<std::uint64_t, 2> tag = {77, 5};
  std::vector<std::byte> bytes = std::vector<std::byte>(4096, std::byte{0x0f});
};

TEST_CASE("of bytes it takes only what is safe wherever the page comes to lie") {
  Chooser c(true);
  constexpr std::uint32_t lsb = 0, msb = 1;
  CHECK(c.chooser->code_for(c.page(msb)) == 2);  // half of the bits are 0
  CHECK(c.chooser->code_for(c.page(lsb)) == 0);
  CHECK(c.chooser->code_for(c.page(std::nullopt)) == 0);
  CHECK(c.chooser->may_stand(2, c.page(msb)));
  CHECK(c.chooser->may_stand(1, c.page(msb)));
  CHECK_FALSE(c.chooser->may_stand(3, c.page(msb)));
  CHECK_FALSE(c.chooser->may_stand(1, c.page(lsb)));
  CHECK(c.chooser->may_stand(0, c.page(lsb)));
}

TEST_CASE("bytes count as they go to flash") {
  const auto invert = [](std::uint64_t seed, std::span<std::byte> bytes) {
    CHECK(seed == 77);
    for (std::byte& byte : bytes) byte = ~byte;
  };
  Chooser c(true, invert);
  c.bytes.assign(4096, std::byte{0x00});
  PageToEncode page = c.page(1);
  CHECK(c.chooser->code_for(page) == 3);
  CHECK(c.bytes.front() == std::byte{0x00});
  page.encoded = true;  // these are the bytes on flash
  CHECK(c.chooser->code_for(page) == 0);
}

TEST_CASE("where no bytes are kept, data hold the same wherever they are moved, and a new version another") {
  Chooser c(false);
  std::array<int, 4> codes{};
  for (std::uint64_t lpn = 0; lpn < 1000; ++lpn) {
    c.tag = {lpn, 3};
    const CodeNumber lsb = c.chooser->code_for(c.page(0)), msb = c.chooser->code_for(c.page(1));
    CHECK(c.chooser->code_for(c.page(std::nullopt)) == std::min(lsb, msb));
    set_code(c.tag, 2);
    set_stamp(c.tag, 99);
    c.tag[0] |= lost_bit;
    CHECK(c.chooser->code_for(c.page(0)) == lsb);
    ++codes[lsb];
    ++codes[msb];
  }
  // No page of Table I is as bad as the worst case.
  CHECK(codes[0] == 0);
  CHECK(codes[1] > 100);
  CHECK(codes[2] > 100);
  CHECK(codes[3] > 100);
}

}  // namespace
}  // namespace nandscape::controller
