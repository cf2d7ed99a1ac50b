// SPDX-License-Identifier: Apache-2.0
// Tests how many senses a soft read requests from the die, and which of these the decoder receives.
#include "controller/flash_ops/flash_io.h"

#include <algorithm>

#include "catch.h"
#include "core/calendar.h"
#include "fakes/fake_ecc.h"
#include "fakes/fake_flash.h"
#include "fakes/plain_op.h"

namespace nandscape::controller {
namespace {

struct Bench final {
  explicit Bench(PageContent content) {
    path.layout = PageLayout::sharing_spare(4096, 512, 1024);
    path.content = content;
    path.count_codeword_errors = true;
  }

  Geometry geometry{.page_bytes = 4096, .spare_bytes = 512};
  DataPath path;
  SchedulerParameters parameters;
  Calendar calendar;
  FlashLayout layout{geometry, 4096};
  FakeFlash flash;
  FakeEcc ecc;
  FlashScheduler scheduler{parameters, geometry, nullptr, calendar, flash};
};

TEST_CASE("a real codec receives the senses of a soft read, by bit of page and spare bytes") {
  Bench bench(PageContent::data_and_spare);
  FlashIo io(bench.layout, bench.path, bench.scheduler, bench.ecc);
  PlainOp read;
  io.lend_buffer(read);
  FlashIo::set_address(read, bench.layout.find(Ppa(0)));
  read.command.bytes = 4096;
  io.read(read, 0);
  CHECK(read.command.sensing_levels == 1);
  CHECK(read.command.sensed_ones.empty());
  io.decode(read);
  CHECK(read.ecc.sensing_levels == 1);
  CHECK(read.ecc.sensed_ones.empty());
  io.set_sensing_levels(read, 3);
  CHECK(read.command.sensing_levels == 3);
  REQUIRE(read.command.sensed_ones.size() == 8 * (4096 + 512));
  std::ranges::fill(read.command.sensed_ones, std::uint8_t{2});
  io.decode(read);
  CHECK(bench.ecc.jobs.size() == 2);
  CHECK(read.ecc.sensing_levels == 3);
  CHECK(read.ecc.sensed_ones.data() == read.command.sensed_ones.data());
  io.give_buffer_back(read);
  CHECK(io.in_use() == 0);
}

TEST_CASE("other decoders receive the number of levels and the RBER") {
  for (const PageContent content : {PageContent::none, PageContent::data}) {
    Bench bench(content);
    FlashIo io(bench.layout, bench.path, bench.scheduler, bench.ecc);
    PlainOp read;
    io.lend_buffer(read);
    io.set_sensing_levels(read, 5);
    read.command.misread_probability = 0.01;
    CHECK(read.command.sensed_ones.empty());
    io.decode(read);
    CHECK(read.ecc.sensing_levels == 5);
    CHECK(read.ecc.misread_probability == 0.01);
  }
}

}  // namespace
}  // namespace nandscape::controller
