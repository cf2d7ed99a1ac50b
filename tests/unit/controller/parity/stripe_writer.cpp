// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/stripe_writer.h"

#include <deque>
#include <utility>
#include <vector>

#include "catch.h"
#include "controller/mapping/allocation_order.h"
#include "controller/mapping/initial_fill.h"

namespace nandscape::controller {
namespace {

// One set of three dies whose superblocks have six rows. The flash completes commands only in `run`.
struct Bench final : FlashScheduler::Port, EccPort, PageProgramOwner {
  Bench() { path.layout = PageLayout::sharing_spare(4096, 512, 1024); }

  // Writes the next page of stream 0: it is placed at once, or held while its plane is at a parity row.
  PageProgram& write() {
    PageProgram& page = pages.acquire();
    page.unit_count = 1;
    page.command.tag = std::span(page.tag).first(2);
    const FlashPlane plane = stripes.assign(0, FtlPlane(0));
    io.set_plane(page, plane);
    if (!stripes.block(0, plane).valid()) stripes.taken(0, FtlPlane(0), blocks.take_free(FtlPlane(0)));
    if (stripes.at_parity(0, plane)) {
      stripes.hold(page);
    } else {
      stripes.place(page, 0);
    }
    return page;
  }
  void run() {
    for (;;) {
      calendar.run_until(never);
      if (commands.empty()) return;
      const auto [channel, command] = commands.front();
      commands.pop_front();
      scheduler.request_ended(channel, *command, calendar.now());
      scheduler.response_begins(channel, *command, calendar.now());
    }
  }

  void begin_request(ChannelId channel, NandCommand& command) override { commands.emplace_back(channel, &command); }
  void end_response(ChannelId, NandCommand&) override {}
  void submit(ChannelId, EccJob&) override {}
  Placement place(PageProgram& page, Tick) override {
    if (page.added_by_frontier && stripes.place_parity(page)) parity.push_back(&page);
    if (!page.added_by_frontier) released.push_back(&page);
    return page.added_by_frontier ? Placement::placed : Placement::wait;
  }
  void encoded(PageProgram&, Tick) override {}
  void withdrawn(PageProgram&, Tick) override {}
  std::uint32_t next_page(const PageProgram&) const override { return ~std::uint32_t{0}; }
  void program_ended(PageProgram&, Tick) override {}

  Geometry geometry{.channels = 3, .blocks_per_plane = 6, .pages_per_block = 6, .page_bytes = 4096};
  FlashLayout layout{geometry, 4096, 3};
  AllocationOrder order{"CWDP", layout};
  InitialFill fill{{.occupancy = 0}, layout.mapping(), order, 8, 1, 2};
  BlockTable blocks{layout.mapping(), fill};
  Calendar calendar;
  DataPath path;
  FlashScheduler scheduler{{}, geometry, nullptr, calendar, *this};
  FlashIo io{layout, path, scheduler, *this};
  PagePool pages{io, *this};
  StripeWriter stripes{io, pages, blocks, calendar, 1};
  std::deque<std::pair<ChannelId, NandCommand*>> commands;
  std::vector<PageProgram*> parity;
  std::vector<PageProgram*> released;
};

TEST_CASE("rows fill one after the other, and the last page of each writes its parity") {
  Bench b;
  for (std::uint32_t row = 0; row < 6; ++row) {
    b.write();
    CHECK(b.stripes.open_rows() == 1);
    b.write();
    CHECK(b.stripes.open_rows() == 0);
    b.run();
    REQUIRE(b.parity.size() == row + 1);
    CHECK(b.parity.back()->command.page == row);
    CHECK(b.parity.back()->plane == FlashPlane(row % 3));
  }
  CHECK(b.stripes.parity_pages() == 6);
  CHECK(b.stripes.first_unassigned(0, FtlPlane(0)) == 6);
}

TEST_CASE("a page waits where its member's next row holds parity") {
  Bench b;
  // Die 0 holds the parity of row 0, so its first page belongs to row 1.
  b.stripes.taken(0, FtlPlane(0), b.blocks.take_free(FtlPlane(0)));
  PageProgram& early = b.pages.acquire();
  early.unit_count = 1;
  b.io.set_plane(early, FlashPlane(0));
  b.stripes.assign_to(0, FlashPlane(0));
  REQUIRE(b.stripes.at_parity(0, FlashPlane(0)));
  b.stripes.hold(early);
  b.write();
  b.run();
  CHECK(b.released.empty());
  b.write();  // completes row 0
  b.run();
  CHECK(b.parity.size() == 1);
  CHECK(b.released == std::vector<PageProgram*>{&early});
  CHECK_FALSE(b.stripes.at_parity(0, FlashPlane(0)));
}

TEST_CASE("the count of missing rows excludes parity rows") {
  Bench b;
  CHECK(b.stripes.data_rows(0, FlashPlane(0), 6) == 4);
  CHECK(b.stripes.data_rows(0, FlashPlane(1), 2) == 1);
  b.write();
  CHECK(b.stripes.data_rows(0, FlashPlane(1), 6) == 3);
  CHECK(b.stripes.next_row(0, FlashPlane(1)) == 1);
}

TEST_CASE("giving up a superblock drops its rows") {
  Bench b;
  b.write();
  const Superblock block = b.stripes.block(0, FlashPlane(1));
  REQUIRE(block.valid());
  CHECK(b.stripes.give_up(0, FtlPlane(0), block) == 1);  // page of the open row
  CHECK(b.stripes.open_rows() == 0);
  for (std::uint32_t die = 0; die < 3; ++die) {
    CHECK(b.stripes.next_row(0, FlashPlane(die)) == 0);
    CHECK_FALSE(b.stripes.block(0, FlashPlane(die)).valid());
    b.stripes.assigned_again(0, FlashPlane(die), 0);
  }
  CHECK(b.stripes.give_up(0, FtlPlane(0), block) == 0);
  b.write();
  CHECK(b.stripes.block(0, FlashPlane(0)) != block);
}

TEST_CASE("the last page of a superblock leaves no room, even while other members still have pages to write") {
  Bench b;
  CHECK_FALSE(b.stripes.has_room(0, FtlPlane(0)));
  b.write();
  for (int page = 1; page < 11; ++page) {
    CHECK(b.stripes.has_room(0, FtlPlane(0)));
    b.write();
    if (page % 2 != 0) b.run();
  }
  const FlashPlane last = b.stripes.assign(0, FtlPlane(0));
  CHECK(b.stripes.block(0, last).valid());
  CHECK_FALSE(b.stripes.has_room(0, FtlPlane(0)));
}

TEST_CASE("a superblock whose members have reached the same row is continued") {
  Bench b;
  const Superblock block = b.blocks.take_free(FtlPlane(0));
  b.blocks.reopen(block, 4 * b.layout.units_per_row(), 0);
  b.stripes.resume(0, FtlPlane(0), block, 4);
  CHECK(b.stripes.has_room(0, FtlPlane(0)));
  for (int page = 0; page < 2; ++page) {
    const PageProgram& written = b.write();
    CHECK(written.block == block);
    CHECK(written.command.page == 4);
  }
  b.run();
  REQUIRE(b.parity.size() == 1);
  CHECK(b.parity.front()->command.page == 4);
  CHECK(b.parity.front()->plane == FlashPlane(1));
}

}  // namespace
}  // namespace nandscape::controller
