// SPDX-License-Identifier: Apache-2.0
// Tests the tags in the spare area, which are stored and returned together with their page.
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
using Tag = DieHarness::Tag;

TEST_CASE("a page's tag can be read until its block is erased") {
  DieHarness h;
  h.program_tagged(1, 0, {7, 1});
  h.program_tagged(1, 1, {8, 2});
  h.program_tagged(2, 0, {9, 3});
  CHECK(h.tag_of(1, 0) == Tag{7, 1});
  CHECK(h.tag_of(1, 1) == Tag{8, 2});
  CHECK(h.tag_of(2, 0) == Tag{9, 3});
  h.complete(h.make(erase, 0, 1), second);
  CHECK(h.tag_of(1, 0) == Tag{no_tag, no_tag});
  CHECK(h.tag_of(2, 0) == Tag{9, 3});
  h.program_tagged(1, 0, {10, 4}, 2 * second);
  CHECK(h.tag_of(1, 0) == Tag{10, 4});
  CHECK(h.tag_of(1, 1) == Tag{no_tag, no_tag});
}

TEST_CASE("a tag is truncated or padded to the requested number of words") {
  DieHarness h;
  h.program_tagged(1, 0, {7, 1});
  h.program_tagged(1, 1, {5});
  h.program_tagged(1, 2, {1, 2, 3, 4, 5, 6});  // longer than other pages' tags
  CHECK(h.tag_of(1, 0, 1) == Tag{7});
  CHECK(h.tag_of(1, 0, 4) == Tag{7, 1, no_tag, no_tag});
  CHECK(h.tag_of(1, 1) == Tag{5, no_tag});
  CHECK(h.tag_of(1, 2, 8) == Tag{1, 2, 3, 4, 5, 6, no_tag, no_tag});
  CHECK(h.tag_of(1, 2, 3) == Tag{1, 2, 3});
  h.complete(h.make(erase, 0, 1), second);
  CHECK(h.tag_of(1, 2, 3) == Tag{no_tag, no_tag, no_tag});
}

TEST_CASE("pages without a tag, and dies that keep none, return empty words") {
  DieHarness h;
  h.program_pages(0, 1, 1);
  h.program_tagged(1, 1, {8, 2});
  CHECK(h.tag_of(1, 0) == Tag{no_tag, no_tag});
  Die bare("bare", h.geometry, h.timing, nullptr);
  Tag tag{1, 2};
  NandCommand& command = h.make(program, 0, 1, 0);
  command.tag = tag;
  bare.finish(bare.issue(command, 0));
  bare.release(second);
  NandCommand& reading = h.make(read, 0, 1, 0);
  reading.tag = tag;
  bare.finish(bare.issue(reading, second));
  CHECK(tag == Tag{no_tag, no_tag});
}

TEST_CASE("a read reports whether the page has been programmed since the erase") {
  DieHarness h;
  h.die.precondition(PlaneInDie(0), BlockInPlane(2), 9);
  h.program_pages(0, 1, 2);
  CHECK_FALSE(h.read_whole(1, 1).erased_page);
  CHECK(h.read_whole(1, 2).erased_page);
  CHECK(h.read_whole(3, 0).erased_page);
  CHECK_FALSE(h.read_whole(2, 8).erased_page);
  h.complete(h.make(erase, 0, 2), second);
  CHECK(h.read_whole(2, 8).erased_page);
}

TEST_CASE("copyback copies the tag") {
  DieHarness h;
  h.program_tagged(1, 0, {7, 1});
  h.program_tagged(1, 1, {1, 2, 3, 4});
  h.complete(h.make(copyback_read, 0, 1, 0), second);
  h.complete(h.make(copyback_program, 0, 2, 0), 2 * second);
  CHECK(h.tag_of(2, 0) == Tag{7, 1});
  h.complete(h.make(copyback_read, 0, 1, 1), 200 * second);
  h.complete(h.make(copyback_program, 0, 2, 1), 201 * second);
  CHECK(h.tag_of(2, 1, 4, 202 * second) == Tag{1, 2, 3, 4});
  // The data-in of the copyback may replace the tag.
  Tag other{70, 10};
  NandCommand& to = h.make(copyback_program, 0, 3, 0);
  to.tag = other;
  h.complete(h.make(copyback_read, 0, 1, 0), 203 * second);
  h.complete(to, 204 * second);
  CHECK(h.tag_of(3, 0, 2, 205 * second) == other);
}

// The tags {row, 100} for pages that were programmed before the simulation.
class NumberedTags final : public InitialTags {
 public:
  void read(std::uint64_t row, std::span<std::uint64_t> tag) const override {
    tag[0] = row;
    tag[1] = 100;
  }
};

TEST_CASE("pages from before the simulation have their initial tags") {
  DieHarness h;
  PageTags tags(12, 9, 2, std::make_unique<NumberedTags>());
  Die die("die", h.geometry, h.timing, nullptr, nullptr, &tags);
  die.precondition(PlaneInDie(1), BlockInPlane(2), 4);
  const auto tag_of = [&](std::uint32_t page, std::size_t words) {
    Tag tag(words);
    NandCommand& command = h.make(read, 1, 2, page);
    command.tag = tag;
    die.finish(die.issue(command, 0));
    die.release(0);
    return tag;
  };
  const std::uint64_t first_row = (6 + 2) * 9;
  CHECK(tag_of(3, 2) == Tag{first_row + 3, 100});
  CHECK(tag_of(3, 3) == Tag{first_row + 3, 100, no_tag});
  CHECK(tag_of(3, 1) == Tag{first_row + 3});
  CHECK(tag_of(4, 2) == Tag{no_tag, no_tag});
  // A program in the same block must not change the initial tags of other pages. An erase must remove them.
  Tag own{5, 6};
  NandCommand& command = h.make(program, 1, 2, 4);
  command.tag = own;
  die.finish(die.issue(command, 0));
  die.release(0);
  CHECK(tag_of(0, 2) == Tag{first_row, 100});
  CHECK(tag_of(4, 2) == own);
  die.finish(die.issue(h.make(erase, 1, 2), 0));
  die.release(0);
  CHECK(tag_of(0, 2) == Tag{no_tag, no_tag});
}

}  // namespace
}  // namespace nandscape::nand
