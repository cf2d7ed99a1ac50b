// SPDX-License-Identifier: Apache-2.0
// The senses that a soft read asks the die for, and the part of them that the decoder receives.
#include "controller/flash_ops/flash_io.h"

#include <algorithm>
#include <vector>

#include "catch.h"
#include "core/calendar.h"
#include "unit/controller/plain_op.h"

namespace nandscape::controller {
namespace {

// Plays the ports of the scheduler and the ECC engine, and records only the ECC jobs.
struct Bench final : FlashScheduler::Port, EccPort {
  explicit Bench(PageContent content) {
    path.layout = PageLayout::sharing_spare(4096, 512, 1024);
    path.content = content;
    path.count_codeword_errors = true;
  }

  void begin_request(ChannelId, NandCommand&) override {}
  void end_response(ChannelId, NandCommand&) override {}
  void submit(ChannelId, EccJob& job) override { jobs.push_back(job); }

  Geometry geometry{.page_bytes = 4096, .spare_bytes = 512};
  DataPath path;
  SchedulerParameters parameters;
  Calendar calendar;
  FlashLayout layout{geometry, 4096, 0};
  FlashScheduler scheduler{parameters, geometry, nullptr, calendar, *this};
  std::vector<EccJob> jobs;
};

TEST_CASE("a real codec receives the senses of a soft read, by bit of page and spare bytes") {
  Bench bench(PageContent::data_and_spare);
  FlashIo io(bench.layout, bench.path, bench.scheduler, bench);
  PlainOp read;
  io.lend_buffer(read);
  FlashIo::set_address(read, bench.layout.find(Ppa(0)));
  read.command.bytes = 4096;
  io.read(read, 0);
  CHECK(read.command.sensing_levels == 1);
  CHECK(read.command.sensed_ones.empty());
  io.decode(read);
  io.set_sensing_levels(read, 3);
  CHECK(read.command.sensing_levels == 3);
  REQUIRE(read.command.sensed_ones.size() == 8 * (4096 + 512));
  std::ranges::fill(read.command.sensed_ones, std::uint8_t{2});
  io.decode(read);
  REQUIRE(bench.jobs.size() == 2);
  CHECK(bench.jobs[0].sensing_levels == 1);
  CHECK(bench.jobs[0].sensed_ones.empty());
  CHECK(bench.jobs[1].sensing_levels == 3);
  CHECK(bench.jobs[1].sensed_ones.data() == read.command.sensed_ones.data());
  io.give_buffer_back(read);
  CHECK(io.in_use() == 0);
}

TEST_CASE("other decoders receive the number of levels and the RBER") {
  for (const PageContent content : {PageContent::none, PageContent::data}) {
    Bench bench(content);
    FlashIo io(bench.layout, bench.path, bench.scheduler, bench);
    PlainOp read;
    io.lend_buffer(read);
    io.set_sensing_levels(read, 5);
    read.command.misread_probability = 0.01;
    CHECK(read.command.sensed_ones.empty());
    io.decode(read);
    CHECK(bench.jobs.front().sensing_levels == 5);
    CHECK(bench.jobs.front().misread_probability == 0.01);
  }
}

}  // namespace
}  // namespace nandscape::controller
