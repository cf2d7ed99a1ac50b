// SPDX-License-Identifier: Apache-2.0
// Tests injected failures, and the state of a wordline after a failed program.
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
using Tag = DieHarness::Tag;

NandStatus outcome(DieHarness& h, NandOperation operation, std::uint32_t block, std::uint32_t page = 0) {
  NandCommand& command = h.make(operation, 0, block, page);
  h.complete(command, second);
  return command.status;
}

TEST_CASE("the requested number of following programs and erases fail") {
  FakeCells cells;
  DieHarness h(GENERATE(false, true) ? &cells : nullptr);
  h.die.faults().fail_next(program, 2);
  h.die.faults().fail_next(erase, 1);
  CHECK(outcome(h, program, 1, 0) == NandStatus::fail);
  CHECK(outcome(h, erase, 2) == NandStatus::fail);
  CHECK(outcome(h, erase, 3) == NandStatus::pass);
  CHECK(outcome(h, program, 4, 0) == NandStatus::fail);
  CHECK(outcome(h, program, 4, 1) == NandStatus::pass);
  CHECK(h.die.counters().failures == 3);
  CHECK_THROWS_AS(h.die.faults().fail_next(read, 1), std::invalid_argument);
}

TEST_CASE("a failing block keeps failing, the others do not") {
  DieHarness h;
  h.die.faults().fail_block(BlockInDie(2));
  CHECK(outcome(h, program, 2, 0) == NandStatus::fail);
  CHECK(outcome(h, program, 2, 1) == NandStatus::fail);
  CHECK(outcome(h, program, 1, 0) == NandStatus::pass);
  CHECK(outcome(h, erase, 2) == NandStatus::fail);
  CHECK(outcome(h, erase, 2) == NandStatus::fail);
  CHECK(outcome(h, erase, 1) == NandStatus::pass);
}

TEST_CASE("a failing program destroys all pages of the cells it programs") {
  FakeCells cells;
  DieHarness h(GENERATE(false, true) ? &cells : nullptr);
  cells.result = {0, 0};
  for (std::uint32_t page = 0; page < 5; ++page) h.program_tagged(1, page, {page, 1});
  h.die.faults().fail_next(program, 1);
  SECTION("the last page of the wordline") {
    CHECK(h.program_tagged(1, 5, {5, 1}).status == NandStatus::fail);
    for (const std::uint32_t page : {3u, 4u, 5u}) {
      CHECK(h.torn(1, page));
      CHECK(h.tag_of(1, page) == Tag{no_tag, no_tag});
    }
  }
  SECTION("an earlier page fails alone") {
    h.complete(h.make(erase, 0, 1), second);
    for (std::uint32_t page = 0; page < 3; ++page) h.program_tagged(1, page, {page, 2}, 2 * second);
    CHECK(h.program_tagged(2, 0, {0, 3}, 2 * second).status == NandStatus::pass);
    for (const std::uint32_t page : {1u, 2u}) {
      CHECK_FALSE(h.torn(1, page));
      CHECK(h.tag_of(1, page) == Tag{page, 2});
    }
    CHECK(h.tag_of(1, 0) == Tag{no_tag, no_tag});
    CHECK(h.torn(1, 0));
    return;
  }
  for (const std::uint32_t page : {0u, 1u, 2u}) {
    CHECK_FALSE(h.torn(1, page));
    CHECK(h.tag_of(1, page) == Tag{page, 1});
  }
  // The rest of the block can still be programmed, and an erase repairs the block.
  CHECK(outcome(h, program, 1, 6) == NandStatus::pass);
  CHECK(outcome(h, erase, 1) == NandStatus::pass);
  CHECK(h.read_whole(1, 3).raw_bit_errors == 0);
  CHECK(h.read_whole(1, 3).erased_page);
}

TEST_CASE("failing cells tear the wordline too") {
  FakeCells cells;
  cells.result = {0, 0};
  DieHarness h(&cells);
  h.program_pages(0, 1, 2);
  cells.succeed = false;
  CHECK(outcome(h, program, 1, 2) == NandStatus::fail);
  for (const std::uint32_t page : {0u, 1u, 2u}) CHECK(h.torn(1, page));
}

TEST_CASE("in SLC mode each page is a separate wordline") {
  DieHarness h;
  h.program_pages(0, 1, 1, ProgramMode::slc);
  h.die.faults().fail_next(program, 1);
  h.make(program, 0, 1, 1).mode = ProgramMode::slc;
  h.complete(h.commands.back(), second);
  CHECK(h.commands.back().status == NandStatus::fail);
  CHECK(h.torn(1, 1));
  CHECK_FALSE(h.torn(1, 0));
}

TEST_CASE("a failed erase leaves torn pages") {
  DieHarness h;
  h.program_tagged(1, 0, {4, 4});
  h.die.faults().fail_next(erase, 1);
  CHECK(outcome(h, erase, 1) == NandStatus::fail);
  CHECK(h.torn(1, 0));
  CHECK(h.torn(1, 8));
  CHECK(h.tag_of(1, 0) == Tag{no_tag, no_tag});
  CHECK_FALSE(h.torn(2, 0));
  CHECK(outcome(h, erase, 1) == NandStatus::pass);
  CHECK_FALSE(h.torn(1, 0));
}

TEST_CASE("a dead die fails all programs and erases, and reads only torn pages") {
  FakeCells cells;
  DieHarness h(GENERATE(false, true) ? &cells : nullptr);
  cells.result = {0, 0};
  h.die.precondition(PlaneInDie(0), BlockInPlane(3), 9);
  h.program_tagged(1, 0, {4, 4});
  h.die.faults().kill();
  CHECK(outcome(h, program, 1, 1) == NandStatus::fail);
  CHECK(outcome(h, erase, 2) == NandStatus::fail);
  CHECK(h.torn(1, 0));
  CHECK(h.torn(3, 0));
  CHECK(h.torn(4, 0));
  CHECK(h.tag_of(1, 0) == Tag{no_tag, no_tag});
}

TEST_CASE("half the bits of a torn page are wrong in each codeword, and its noise does not change") {
  FakeCells cells;
  DieHarness h(GENERATE(false, true) ? &cells : nullptr);
  std::array<std::byte, 512> first{};
  std::array<std::byte, 512> again{};
  h.program_pages(0, 1, 2);
  h.die.faults().fail_next(program, 1);
  CHECK(outcome(h, program, 1, 2) == NandStatus::fail);
  std::array<std::uint16_t, 2> counts{};
  NandCommand& half = h.make(read, 0, 1, 1);
  half.first_byte = 256;
  half.bytes = 256;
  half.codeword_errors = counts;
  half.data = first.data();
  h.complete(half, 2 * second);
  CHECK(half.raw_bit_errors == 1024);
  CHECK(half.worst_codeword_errors == 512);
  CHECK(counts == std::array<std::uint16_t, 2>{512, 512});
  half.data = again.data();
  h.complete(half, 3 * second);
  CHECK(first == again);
  std::size_t ones = 0;
  for (const std::byte b : first) ones += static_cast<std::size_t>(std::popcount(std::to_integer<unsigned>(b)));
  CHECK(ones == Approx(2048).margin(160));  // five standard deviations
  NandCommand& other = h.make(read, 0, 1, 0);
  other.data = again.data();
  h.complete(other, 4 * second);
  CHECK(first != again);
}

TEST_CASE("copyback does not heal a torn page") {
  DieHarness h;
  h.program_pages(0, 1, 2);
  h.die.faults().fail_next(program, 1);
  CHECK(outcome(h, program, 1, 2) == NandStatus::fail);
  h.complete(h.make(copyback_read, 0, 1, 1), second);
  CHECK(outcome(h, copyback_program, 2, 0) == NandStatus::pass);
  CHECK(h.torn(2, 0));
  CHECK_FALSE(h.torn(2, 1));
  h.complete(h.make(copyback_read, 0, 3, 1), second);
  CHECK(outcome(h, copyback_program, 2, 1) == NandStatus::pass);
  CHECK_FALSE(h.torn(2, 1));
}

}  // namespace
}  // namespace nandscape::nand
