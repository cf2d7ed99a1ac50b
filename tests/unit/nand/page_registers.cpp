// SPDX-License-Identifier: Apache-2.0
#include "nand/page_registers.h"

#include <algorithm>

#include "core/error.h"
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

struct Registers {
  explicit Registers(bool stored = true) : pages(geometry, stored ? &store : nullptr) {}

  PageRegisters::Page& fill(std::uint32_t plane, std::uint32_t bit_errors) {
    PageRegisters::Page& page = pages.fill(PlaneInDie(plane));
    page.bit_errors = bit_errors;
    page.data.assign(geometry.page_bytes, std::byte{0x5a});
    return page;
  }

  Geometry geometry{.planes_per_die = 2, .blocks_per_plane = 6, .pages_per_block = 9, .page_bytes = 512};
  PageStore store{PageLayout::sharing_spare(512, 0, 512), PageStore::Spare::left_out};
  PageRegisters pages;
};

TEST_CASE("each plane's register holds its page until another overwrites it") {
  Registers r;
  CHECK_FALSE(r.pages.holds_page(PlaneInDie(0)));
  r.fill(0, 3);
  r.fill(1, 4);
  r.pages.overwrite(PlaneInDie(0));
  CHECK_FALSE(r.pages.holds_page(PlaneInDie(0)));
  CHECK(r.pages.holds_page(PlaneInDie(1)));
  CHECK(r.pages.page(PlaneInDie(1)).bit_errors == 4);
  SECTION("or a reset occurs") { r.pages.forget(); }
  SECTION("or the supply fails") { r.pages.power_cut(); }
  CHECK_FALSE(r.pages.holds_page(PlaneInDie(1)));
}

TEST_CASE("incoming bytes have no errors") {
  Registers r;
  r.fill(1, 40);
  std::vector<std::byte> change(512, std::byte{0x11});
  NandCommand program;
  program.operation = NandOperation::copyback_program;
  program.plane = PlaneInDie(1);
  program.data = change.data();
  SECTION("none, which leaves the page unchanged") {
    r.pages.modify(program);
    CHECK(r.pages.page(PlaneInDie(1)).bit_errors == 40);
  }
  SECTION("a quarter of the page, which removes a quarter of its errors") {
    program.first_byte = 256;
    program.bytes = 128;
    r.pages.modify(program);
    CHECK(r.pages.page(PlaneInDie(1)).bit_errors == 30);
    const std::vector<std::byte>& data = r.pages.page(PlaneInDie(1)).data;
    CHECK(std::count(data.begin() + 256, data.begin() + 384, std::byte{0x11}) == 128);
    CHECK(std::count(data.begin(), data.end(), std::byte{0x5a}) == 384);
  }
}

TEST_CASE("registers survive a checkpoint") {
  Registers r;
  r.fill(0, 7).tag = {1, 2};
  r.fill(1, 8);
  r.pages.overwrite(PlaneInDie(1));
  Archive written;
  r.pages.persist(written);
  const std::vector<std::byte> bytes = written.take();
  Registers copy;
  Archive read(bytes);
  copy.pages.persist(read);
  read.finish();
  CHECK(copy.pages.holds_page(PlaneInDie(0)));
  CHECK_FALSE(copy.pages.holds_page(PlaneInDie(1)));
  CHECK(copy.pages.page(PlaneInDie(0)).bit_errors == 7);
  CHECK(copy.pages.page(PlaneInDie(0)).data == r.pages.page(PlaneInDie(0)).data);
  CHECK(copy.pages.page(PlaneInDie(0)).tag == std::vector<std::uint64_t>{1, 2});
}

TEST_CASE("a page in the register that is too short is refused") {
  Registers r;
  r.fill(0, 0).data.pop_back();
  Archive written;
  r.pages.persist(written);
  const std::vector<std::byte> bytes = written.take();
  Registers copy;
  Archive read(bytes);
  CHECK_THROWS_AS(copy.pages.persist(read), ArchiveError);
  // If no data are stored, there is no page length to check, so the state is accepted.
  Registers dataless(false);
  Archive again(bytes);
  CHECK_NOTHROW(dataless.pages.persist(again));
}

}  // namespace
}  // namespace nandscape::nand
