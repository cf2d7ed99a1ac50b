// SPDX-License-Identifier: Apache-2.0
// Tests reads of several subpages in one operation.
#include <array>

#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;

// Makes a read of one subpage of 128 bytes, to be joined with reads of other subpages.
NandCommand& make_subpage(DieHarness& h, std::uint8_t subpage, std::uint32_t block, std::uint32_t page,
                          bool last = false, std::uint32_t plane = 0) {
  NandCommand& command = h.make(read, plane, block, page);
  command.single_operation = true;
  command.subpages = static_cast<std::uint8_t>(1 << subpage);
  command.first_byte = subpage * 128u;
  command.bytes = 128;
  command.more_planes = !last;
  return command;
}

TEST_CASE("subpages of four blocks are read in the time of the one with most senses") {
  DieHarness h;
  std::array<std::array<std::byte, 512>, 4> out{};
  NandCommand* commands[4];
  for (std::uint32_t k = 0; k < 4; ++k) {
    std::array<std::byte, 512> data;
    data.fill(static_cast<std::byte>(k + 1));
    for (std::uint32_t page = 0; page < 3; ++page) {
      NandCommand& before = h.make(program, 0, k, page);
      before.data = data.data();
      h.complete(before, 0);
    }
    commands[k] = &make_subpage(h, static_cast<std::uint8_t>(3 - k), k, k == 2 ? 1 : 0, k == 3);  // 90 us and 60 us
    commands[k]->data = out[k].data();
  }
  for (std::uint32_t k = 0; k < 3; ++k) CHECK(h.issue(*commands[k], second) == never);
  CHECK(h.issue(*commands[3], second) == second + 90 * us);
  h.finishes_at(second + 90 * us);
  for (NandCommand* command : commands) h.release(*command, second + 90 * us);
  CHECK(h.ready_at(second + 90 * us));
  CHECK(h.die.counters().page_reads == 4);
  // Only the requested subpage was read.
  for (std::uint32_t k = 0; k < 4; ++k) {
    for (std::uint32_t byte = 0; byte < 512; ++byte) {
      CHECK(std::to_integer<std::uint32_t>(out[k][byte]) == (byte / 128 == 3 - k ? k + 1 : 0));
    }
  }
}

TEST_CASE("subpages read together share neither bitlines nor block decoders") {
  DieHarness h;
  NandCommand& first = make_subpage(h, 1, 2, 0);
  h.issue(first, 0);
  h.refuses(make_subpage(h, 1, 3, 0), 0,
            "it shares its bitlines with read die 0 plane 0 block 2 page 0 subpage 1 (queued)");
  h.refuses(make_subpage(h, 2, 2, 4), 0, "it shares its block decoder with");
  // A subpage on another plane is accepted, because each plane has its own bitlines and block decoders.
  h.issue(make_subpage(h, 1, 2, 0, false, 1), 0);
  CHECK(h.issue(make_subpage(h, 0, 3, 0, true), 0) == 60 * us);
}

TEST_CASE("a read of several subpages occupies the bitlines of all of them") {
  DieHarness h;
  NandCommand& half = make_subpage(h, 1, 2, 0);
  half.subpages = 0b0110;
  half.bytes = 256;
  h.issue(half, 0);
  h.refuses(make_subpage(h, 2, 3, 0), 0,
            "it shares its bitlines with read die 0 plane 0 block 2 page 0 subpages 1 2 (queued)");
  h.issue(make_subpage(h, 3, 3, 0), 0);
  // A read of a whole page on the other plane, even with a different page number, can join the operation.
  NandCommand& whole = h.make(read, 1, 5, 1);
  whole.single_operation = true;
  whole.subpages = all_subpages;
  whole.bytes = 512;
  whole.more_planes = true;
  h.issue(whole, 0);
  CHECK(h.issue(make_subpage(h, 0, 4, 0, true), 0) == 90 * us);
}

TEST_CASE("single-operation reads and whole pages do not mix") {
  DieHarness h;
  SECTION("a page after a subpage") {
    h.issue(make_subpage(h, 0, 1, 0), 0);
    h.refuses(h.make(read, 1, 1, 0), 0);
  }
  SECTION("a subpage after a page") {
    h.issue(h.make_queued(read, 1, 1, 0), 0);
    h.refuses(make_subpage(h, 0, 1, 0, true), 0);
  }
  SECTION("a cache read") {
    h.issue(h.make(read), 0);
    NandCommand& command = make_subpage(h, 0, 1, 0, true);
    command.cache = true;
    h.refuses(command, us, "only plain reads");
  }
  SECTION("copyback") {
    NandCommand& command = make_subpage(h, 0, 1, 0, true);
    command.operation = copyback_read;
    h.refuses(command, 0, "only plain reads");
  }
}

TEST_CASE("a read of a subpage stays within it") {
  DieHarness h;
  NandCommand& command = make_subpage(h, 2, 1, 0, true);
  command.subpages = 1 << 4;
  h.refuses(command, 0, "a page has 4 of 128 bytes");
  command.subpages = 1 << 2;
  command.first_byte = 2 * 128 + 1;
  h.refuses(command, 0, "do not lie in those subpages");
  command.first_byte = 128;
  h.refuses(command, 0, "do not lie in those subpages");
  command.first_byte = 2 * 128;
  command.bytes = 256;
  h.refuses(command, 0, "do not lie in those subpages");
  command.subpages = 0;
  h.refuses(command, 0, "do not lie in those subpages");
  command.subpages = 1 << 2;
  command.first_byte = 2 * 128 + 64;
  command.bytes = 64;
  CHECK(h.issue(command, 0) == 60 * us);
}

}  // namespace
}  // namespace nandscape::nand
