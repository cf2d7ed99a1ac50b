// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "assign_parameters.h"
#include "catch.h"
#include "controller/ecc_selection/ecc_selection.h"
#include "controller/mapping/page_tag.h"
#include "core/random.h"

namespace nandscape::controller {
namespace {

struct Chooser {
  explicit Chooser(bool keeps_data, ScrambleBytes scramble = {})
      : chooser(
            ecc_selection_registry().make({"cdber", nullptr})->make_chooser({4, {}, keeps_data, std::move(scramble)})) {
  }

  PageToEncode page(std::optional<std::uint32_t> type) const { return {.tag = tag, .data = bytes, .type = type}; }

  std::unique_ptr<CodeChooser> chooser;
  std::array<std::uint64_t, 2> tag = {77, 5};
  std::vector<std::byte> bytes = std::vector<std::byte>(4096, std::byte{0x0f});
};

TEST_CASE("with bytes, an unplaced page gets only a code that is safe in every page type") {
  Chooser c(true);
  constexpr std::uint32_t lsb = 0, msb = 1;
  CHECK(c.chooser->coding_for(c.page(msb)).code == 2);  // half of the bits are 0
  CHECK(c.chooser->coding_for(c.page(lsb)).code == 0);
  CHECK(c.chooser->coding_for(c.page(std::nullopt)).code == 0);
  CHECK(c.chooser->may_stand({2, 0}, c.page(msb)));
  CHECK(c.chooser->may_stand({1, 0}, c.page(msb)));
  CHECK_FALSE(c.chooser->may_stand({3, 0}, c.page(msb)));
  CHECK_FALSE(c.chooser->may_stand({1, 0}, c.page(lsb)));
  CHECK(c.chooser->may_stand({0, 0}, c.page(lsb)));
}

TEST_CASE("bytes count as they are stored on flash") {
  const auto invert = [](std::uint64_t seed, std::span<std::byte> bytes) {
    CHECK(seed == 77);
    for (std::byte& byte : bytes) byte = ~byte;
  };
  Chooser c(true, invert);
  c.bytes.assign(4096, std::byte{0x00});
  PageToEncode page = c.page(1);
  CHECK(c.chooser->coding_for(page).code == 3);
  CHECK(c.bytes.front() == std::byte{0x00});
  page.encoded = true;  // the bytes are already encoded
  CHECK(c.chooser->coding_for(page).code == 0);
}

TEST_CASE("without bytes, data keep their content wherever they are moved, and a new version has another") {
  Chooser c(false);
  std::array<int, 4> codes{};
  for (std::uint64_t lpn = 0; lpn < 1000; ++lpn) {
    c.tag = {lpn, 3};
    const CodeNumber lsb = c.chooser->coding_for(c.page(0)).code, msb = c.chooser->coding_for(c.page(1)).code;
    CHECK(c.chooser->coding_for(c.page(std::nullopt)).code == std::min(lsb, msb));
    set_coding(c.tag, 2, 17);
    set_stamp(c.tag, 99);
    c.tag[0] |= lost_bit;
    CHECK(c.chooser->coding_for(c.page(0)).code == lsb);
    ++codes[lsb];
    ++codes[msb];
  }
  // Almost no page with the content of Table I is as bad as the worst case, so code 0 is rare.
  CHECK(codes[0] < 20);
  CHECK(codes[1] > 100);
  CHECK(codes[2] > 100);
  CHECK(codes[3] > 100);
}

TEST_CASE("mapped states have fewer weak cells, and codings tell how they are mapped") {
  const auto with = [](const std::string& mapping) {
    auto parameters = std::shared_ptr<VariantParameters>(ecc_selection_registry().make_parameters("cdber"));
    ParameterAssigner assign({{"state_mapping", mapping}});
    parameters->visit(assign);
    return ecc_selection_registry().make({"cdber", parameters})->make_chooser({4, {}, false, {}});
  };
  const auto plain = with("none"), by_share = with("by_share"), best = with("best");
  std::uint32_t codes_plain = 0, codes_by_share = 0, codes_best = 0, mapped = 0;
  for (std::uint64_t lpn = 0; lpn < 500; ++lpn) {
    const std::array<std::uint64_t, 2> tag = {lpn, 1};
    for (const std::uint32_t type : {0u, 1u}) {
      const PageToEncode page{.tag = tag, .type = type};
      const PageCoding as_it_is = plain->coding_for(page), chosen = best->coding_for(page);
      CHECK(as_it_is.state_map == 0);
      CHECK(chosen.code >= as_it_is.code);
      CHECK(chosen.code >= by_share->coding_for(page).code);
      CHECK(chosen.state_map < StateMapping::mappings);
      CHECK(best->may_stand(chosen, page));
      // States must be mapped only if this allows a code with a higher number.
      CHECK((chosen.state_map == 0 || chosen.code > as_it_is.code));
      mapped += chosen.state_map != 0;
      codes_plain += as_it_is.code;
      codes_by_share += by_share->coding_for(page).code;
      codes_best += chosen.code;
    }
  }
  CHECK(mapped > 50);
  CHECK(codes_by_share > codes_plain);
  CHECK(codes_best > codes_by_share);
}

TEST_CASE("tags keep the code and the state mapping beside their other fields") {
  std::array<std::uint64_t, 4> tag = {77, 5 | frontier_mark_bit, 78, most_version};
  set_stamp(tag, 1234);
  set_coding(tag, 5, 23);
  CHECK(code_in(tag) == 5);
  CHECK(state_map_in(tag) == 23);
  set_stamp(tag, 99);
  CHECK(code_in(std::span(tag).subspan(2)) == 5);
  CHECK(state_map_in(std::span(tag).subspan(2)) == 23);
  set_coding(tag, 0, 1);
  CHECK(code_in(tag) == 0);
  CHECK(state_map_in(tag) == 1);
  CHECK(version_in(tag[1]) == 5);
  CHECK(version_in(tag[3]) == most_version);
  CHECK(stamp_in(tag[1]) == 99);
  CHECK((tag[1] & frontier_mark_bit) != 0);
  CHECK(tag[0] == 77);
}

}  // namespace
}  // namespace nandscape::controller
