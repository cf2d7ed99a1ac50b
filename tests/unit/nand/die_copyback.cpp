// SPDX-License-Identifier: Apache-2.0
// Tests copybacks, which move pages within a plane through its page register.
#include <array>

#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;
using Page = std::array<std::byte, 512>;

struct Copying : DieHarness {
  explicit Copying(CellArray* cells = nullptr) : DieHarness(cells) {
    source.fill(std::byte{0x5a});
    for (std::uint32_t page = 0; page < 9; ++page) {
      NandCommand& command = make(program, 0, 1, page);
      command.data = source.data();
      complete(command, 0);
    }
  }
  Page stored(std::uint32_t block, std::uint32_t page) {
    Page out{};
    NandCommand& command = make(read, 0, block, page);
    command.data = out.data();
    complete(command, 10 * second);
    return out;
  }
  Page source;
};

TEST_CASE("copyback moves a page without the bus") {
  Copying h;
  NandCommand& from = h.make(copyback_read, 0, 1, 1);
  CHECK(h.issue(from, second) == second + 90 * us);
  h.finishes_at(second + 90 * us);
  h.release(from, second + 90 * us);
  NandCommand& to = h.make(copyback_program, 0, 2, 0);
  CHECK(h.issue(to, 2 * second) == 2 * second + 700 * us);
  h.finishes_at(2 * second + 700 * us);
  h.release(to, 2 * second + 700 * us);
  CHECK(to.status == NandStatus::pass);
  // The page register still holds the page.
  h.complete(h.make(copyback_program, 0, 3, 0), 3 * second);
  CHECK(h.stored(2, 0) == h.source);
  CHECK(h.stored(3, 0) == h.source);
}

TEST_CASE("data-in replaces a part of the page") {
  Copying h;
  h.complete(h.make(copyback_read, 0, 1, 1), second);
  Page change{};
  NandCommand& to = h.make(copyback_program, 0, 2, 0);
  to.data = change.data();
  to.first_byte = 100;
  to.bytes = 50;
  h.complete(to, 2 * second);
  Page expected = h.source;
  std::fill_n(expected.begin() + 100, 50, std::byte{0});
  CHECK(h.stored(2, 0) == expected);
}

TEST_CASE("a page read for copyback can be moved out as well") {
  Copying h;
  Page out{};
  NandCommand& from = h.make(copyback_read, 0, 1, 1);
  from.data = out.data();
  from.bytes = 512;
  h.complete(from, second);
  CHECK(out == h.source);
}

TEST_CASE("three pages in SLC mode are folded to a native wordline, with new tags") {
  const bool wordlines = GENERATE(true, false);
  NandParameters p = die_parameters();
  p.timing.program_unit = wordlines ? ProgramUnit::wordline : ProgramUnit::page;
  p.timing.t_load_us = 12;
  DieHarness h(nullptr, p);
  std::array<Page, 3> pages;
  std::array<std::array<std::uint64_t, 2>, 3> tags;
  for (std::uint32_t page = 0; page < 3; ++page) {
    pages[page].fill(std::byte(0x10 + page));
    tags[page] = {page, 100};
    NandCommand& command = h.make(program, 0, 1, page);
    command.mode = ProgramMode::slc;
    command.data = pages[page].data();
    command.tag = tags[page];
    h.complete(command, 0);
  }
  Tick now = second;
  for (std::uint32_t page = 0; page < 3; ++page) {
    NandCommand& from = h.make(copyback_read, 0, 1, page);
    std::array<std::uint64_t, 2> tag{};
    from.tag = tag;
    CHECK(h.issue(from, now) == now + 30 * us);
    now += 30 * us;
    h.die.finish(now);
    h.release(from, now);
    CHECK(tag == tags[page]);
    tag[1] = 200;
    NandCommand& to = h.make(copyback_program, 0, 2, page);
    to.tag = tag;
    const Tick time = wordlines && page != 2 ? 12 * us : 700 * us;
    CHECK(h.issue(to, now) == now + time);
    now += time;
    h.die.finish(now);
    h.release(to, now);
  }
  for (std::uint32_t page = 0; page < 3; ++page) {
    Page out{};
    std::array<std::uint64_t, 2> tag{};
    NandCommand& command = h.make(read, 0, 2, page);
    command.data = out.data();
    command.tag = tag;
    h.complete(command, 10 * second);
    CHECK(out == pages[page]);
    CHECK(tag == std::array<std::uint64_t, 2>{page, 200});
  }
}

TEST_CASE("copyback needs a page in the register of its plane") {
  Copying h;
  NandCommand& to = h.make(copyback_program, 0, 2, 0);
  h.refuses(to, second, "holds no page");
  h.complete(h.make(copyback_read, 0, 1, 1), second);
  h.refuses(h.make(copyback_program, 1, 2, 0), 2 * second, "holds no page");
  SECTION("overwritten by a read") { h.complete(h.make(read, 0, 1, 0), 2 * second); }
  SECTION("overwritten by a program") { h.complete(h.make(program, 0, 3, 0), 2 * second); }
  SECTION("overwritten by a cache read") {
    NandCommand& other = h.make(read, 1, 1, 0);
    NandCommand& cached = h.make_cache_read(1, 0);
    const Tick end = h.issue(other, 2 * second);
    h.issue(cached, 2 * second);
    h.die.finish(end);
    const Tick cached_end = h.release(other, end);
    h.die.finish(cached_end);
    h.release(cached, cached_end);
  }
  h.refuses(to, 3 * second, "holds no page");
}

TEST_CASE("operations elsewhere leave the register unchanged") {
  Copying h;
  h.complete(h.make(copyback_read, 0, 1, 1), second);
  h.complete(h.make(read, 1, 1, 1), 2 * second);
  h.complete(h.make(erase, 0, 2), 3 * second);
  h.complete(h.make(copyback_program, 0, 2, 0), 4 * second);
}

TEST_CASE("copyback programs keep the order of pages") {
  Copying h;
  h.complete(h.make(copyback_read, 0, 1, 1), second);
  h.refuses(h.make(copyback_program, 0, 2, 1), 2 * second, "page 0 is next");
  h.refuses(h.make(copyback_program, 0, 1, 8), 2 * second, "programmed already");
}

TEST_CASE("copyback works on several planes, and can be suspended") {
  Copying h;
  h.program_pages(1, 1, 1);
  NandCommand& from0 = h.make_queued(copyback_read, 0, 1, 0);
  NandCommand& from1 = h.make(copyback_read, 1, 1, 0);
  h.issue(from0, second);
  h.refuses(h.make(read, 1, 1, 0), second);
  Tick end = h.issue(from1, second);
  h.finishes_at(end);
  h.release(from0, end);
  h.release(from1, end);
  NandCommand& to0 = h.make_queued(copyback_program, 0, 2, 0);
  NandCommand& to1 = h.make(copyback_program, 1, 2, 0);
  h.issue(to0, 2 * second);
  h.issue(to1, 2 * second);
  NandCommand& stop = h.make(suspend);
  h.issue(stop, 2 * second + 300 * us);
  CHECK(stop.status == NandStatus::pass);
  // A read during the suspension must not disturb the suspended program.
  h.complete(h.make(read, 0, 1, 3), 3 * second);
  end = h.issue(h.make(resume), 4 * second);
  CHECK(end == 4 * second + 25 * us + 400 * us);
  h.finishes_at(end);
  h.release(to0, end);
  h.release(to1, end);
  CHECK(h.stored(2, 0) == h.source);
}

TEST_CASE("errors of the source page are copied") {
  FakeCells cells;
  Copying h(&cells);
  cells.result = {40, 12};
  NandCommand& from = h.make(copyback_read, 0, 1, 1);
  from.bytes = 128;  // only a part of the page is transferred out, but the register stores the whole page
  h.complete(from, second);
  CHECK(cells.senses.back().first_byte == 0);
  CHECK(cells.senses.back().bytes == 512);
  CHECK(from.raw_bit_errors == 40);
  NandCommand& to = h.make(copyback_program, 0, 2, 0);
  SECTION("all of them") {
    h.complete(to, 2 * second);
    CHECK(cells.programs.back().inherited_bit_errors == 40);
  }
  SECTION("except the share of the replaced bytes") {
    to.bytes = 128;
    h.complete(to, 2 * second);
    CHECK(cells.programs.back().inherited_bit_errors == 30);
  }
  CHECK(std::to_integer<int>(cells.programs.back().data[511]) == 0x5a);
  h.complete(h.make(program, 0, 2, 1), 3 * second);
  CHECK(cells.programs.back().inherited_bit_errors == 0);
}

}  // namespace
}  // namespace nandscape::nand
