// SPDX-License-Identifier: Apache-2.0
// Compares bus times with closed forms, in ps. The parameters have distinct values, so that a wrong or missing term
// changes the sum.
#include "channel/bus_timing.h"

#include <array>
#include <cmath>

#include "catch.h"
#include "core/error.h"

namespace nandscape::channel {
namespace {

constexpr Tick ns = nanosecond;

ChannelParameters parameters() {
  ChannelParameters p;
  p.rate_mt_s = 500;  // 2 ns per transfer
  p.width_bits = 8;
  p.row_address_cycles = 3;
  p.transfer_spare = false;
  p.t_cycle_ns = 20;
  p.t_wb_ns = 101;
  p.t_rr_ns = 23;
  p.t_adl_ns = 157;
  p.t_whr_ns = 81;
  p.t_preamble_ns = 13;
  p.t_postamble_ns = 17;
  p.t_dbsy_ns = 503;
  return p;
}

const Geometry geometry{.page_bytes = 4096, .spare_bytes = 512};

NandCommand command(NandOperation operation, std::uint32_t bytes = 0, bool more_planes = false) {
  NandCommand c;
  c.operation = operation;
  c.bytes = bytes;
  c.more_planes = more_planes;
  return c;
}

using enum NandOperation;

TEST_CASE("command cycles of each operation") {
  const BusTiming timing(parameters(), geometry);
  CHECK(timing.request(command(read, 4096)) == (1 + 5 + 1) * 20 * ns + 101 * ns);
  CHECK(timing.request(command(program, 4096)) ==
        (1 + 5) * 20 * ns + 157 * ns + (13 + 4096 * 2 + 17) * ns + 20 * ns + 101 * ns);
  CHECK(timing.request(command(erase)) == (1 + 3 + 1) * 20 * ns + 101 * ns);
  CHECK(timing.request(command(suspend)) == (1 + 3) * 20 * ns + 101 * ns);
  CHECK(timing.request(command(resume)) == (1 + 3) * 20 * ns + 101 * ns);
  CHECK(timing.request(command(reset)) == (1 + 3) * 20 * ns + 101 * ns);
  CHECK(timing.request(command(set_feature)) == 3 * 20 * ns + 157 * ns + (13 + 4 * 2 + 17) * ns + 101 * ns);
  CHECK(timing.request(command(get_feature)) == 3 * 20 * ns + 101 * ns);
  CHECK(timing.request(command(read_parameter_page, 256)) == 2 * 20 * ns + 101 * ns);
  CHECK(timing.request(command(copyback_read)) == timing.request(command(read)));
  CHECK(timing.request(command(copyback_program)) == timing.request(command(read)));
  CHECK(timing.request(command(copyback_program, 512)) == timing.request(command(program, 512)));
  CHECK(timing.request(command(adjust_voltage)) == timing.request(command(erase)) + 2 * 20 * ns);
}

TEST_CASE("if planes read on their own, the controller polls and selects the plane before its data-out") {
  ChannelParameters p = parameters();
  p.t_ccs_ns = 509;
  Geometry planes = geometry;
  planes.independent_plane_reads = true;
  const BusTiming timing(p, planes);
  const Tick poll = (1 + 3) * 20 * ns + 81 * ns + (13 + 2 + 17) * ns;
  const Tick select = (1 + 5 + 1) * 20 * ns + 509 * ns;
  CHECK(timing.response(command(read, 4096)) == poll + select + (13 + 4096 * 2 + 17) * ns);
  CHECK(timing.response(command(read, 0)) == 0);
  CHECK(timing.response(command(program)) == BusTiming(p, geometry).response(command(program)));
  CHECK(timing.request(command(read)) == BusTiming(p, geometry).request(command(read)));
}

TEST_CASE("vendor prefixes precede the command") {
  const BusTiming timing(parameters(), geometry);
  for (const NandOperation operation : {read, program, copyback_read, copyback_program}) {
    const NandCommand plain = command(operation, 4096);
    const auto more_cycles = [&](const auto& change) {
      NandCommand c = plain;
      change(c);
      return (timing.request(c) - timing.request(plain)) / (20 * ns);
    };
    CHECK(more_cycles([](NandCommand& c) { c.retry_step = 7; }) == 2);
    CHECK(more_cycles([](NandCommand& c) { c.single_operation = true; }) == 1);
    CHECK(more_cycles([](NandCommand& c) { c.program_step_mv = 150; }) == 3);
    CHECK(more_cycles([](NandCommand& c) { c.mode = ProgramMode::slc; }) == 1);
    CHECK(more_cycles([](NandCommand& c) {
            c.mode = ProgramMode::slc;
            c.program_step_mv = 150;
          }) == 4);
  }
}

TEST_CASE("a soft read transfers ceil(log2(levels + 1)) bits per cell: the number of senses that found a 1") {
  const BusTiming timing(parameters(), geometry);
  const Tick bits[] = {1, 2, 2, 3, 3, 3, 3};
  for (std::uint8_t levels = 1; levels <= 7; ++levels) {
    CAPTURE(int{levels});
    CHECK(bits[levels - 1] == std::ceil(std::log2(levels + 1)));
    NandCommand c = command(read, 4096);
    c.sensing_levels = levels;
    CHECK(timing.response(c) == (23 + 13 + bits[levels - 1] * 4096 * 2 + 17) * ns);
    // The request has two more cycles: a vendor-specific prefix, and the number of levels.
    CHECK(timing.request(c) - timing.request(command(read, 4096)) == (levels == 1 ? 0 : 2 * 20 * ns));
    c.retry_step = 3;
    CHECK(timing.request(c) - timing.request(command(read, 4096)) == (levels == 1 ? 2 : 4) * 20 * ns);
    c.bytes = 0;
    CHECK(timing.response(c) == 0);
  }
}

TEST_CASE("a copyback may carry the tag alone") {
  std::array<std::uint64_t, 8> tag{};
  const auto tagged = [&](NandOperation operation) {
    NandCommand c = command(operation);
    c.tag = tag;
    return c;
  };
  const BusTiming timing(parameters(), geometry);
  const Tick burst = (13 + 64 * 2 + 17) * ns;
  CHECK(timing.response(tagged(copyback_read)) == 23 * ns + burst);
  CHECK(timing.request(tagged(copyback_read)) == timing.request(command(copyback_read)));
  CHECK(timing.request(tagged(copyback_program)) == timing.request(command(copyback_program)) + 157 * ns + burst);
  CHECK(timing.response(tagged(copyback_program)) == timing.response(command(copyback_program)));
}

TEST_CASE("a plane that is only queued adds tDBSY") {
  const BusTiming timing(parameters(), geometry);
  for (const NandOperation operation : {read, program, erase, copyback_read, copyback_program, adjust_voltage}) {
    CHECK(timing.request(command(operation, 2048, true)) - timing.request(command(operation, 2048)) == 503 * ns);
  }
}

TEST_CASE("responses of each operation") {
  const BusTiming timing(parameters(), geometry);
  CHECK(timing.response(command(read, 4096)) == (23 + 13 + 4096 * 2 + 17) * ns);
  CHECK(timing.response(command(read, 1024)) == (23 + 13 + 1024 * 2 + 17) * ns);
  CHECK(timing.response(command(read, 0)) == 0);
  for (const NandOperation operation : {program, erase, copyback_program, adjust_voltage}) {
    CHECK(timing.response(command(operation, 4096)) == (20 + 81 + 13 + 2 + 17) * ns);
  }
  CHECK(timing.response(command(copyback_read, 4096)) == (23 + 13 + 4096 * 2 + 17) * ns);
  CHECK(timing.response(command(copyback_read)) == (20 + 81 + 13 + 2 + 17) * ns);
  CHECK(timing.response(command(get_feature)) == (23 + 13 + 4 * 2 + 17) * ns);
  CHECK(timing.response(command(read_parameter_page, 768)) == (23 + 13 + 768 * 2 + 17) * ns);
  CHECK(timing.response(command(read_parameter_page)) == 0);
  for (const NandOperation operation : {suspend, resume, reset, set_feature}) {
    CHECK(timing.response(command(operation)) == 0);
  }
}

TEST_CASE("a wide bus moves two data bytes at a time, but commands and status as a narrow one does") {
  ChannelParameters p = parameters();
  const BusTiming narrow(p, geometry);
  p.width_bits = 16;
  const BusTiming wide(p, geometry);
  CHECK(wide.data(4096) == (13 + 4096 + 17) * ns);
  CHECK(wide.request(command(read)) == narrow.request(command(read)));
  CHECK(wide.response(command(erase)) == narrow.response(command(erase)));
  CHECK(wide.response(command(get_feature)) == narrow.response(command(get_feature)));
  CHECK(wide.response(command(read_parameter_page, 256)) == narrow.response(command(read_parameter_page, 256)));
}

TEST_CASE("spare bytes travel with their page's data, in proportion to the part transferred") {
  ChannelParameters p = parameters();
  p.transfer_spare = true;
  const BusTiming timing(p, geometry);
  CHECK(timing.data(4096) == (13 + (4096 + 512) * 2 + 17) * ns);
  CHECK(timing.data(1024) == (13 + (1024 + 128) * 2 + 17) * ns);
  CHECK(timing.data(0) == 0);
  CHECK(timing.response(command(program)) == (20 + 81 + 13 + 2 + 17) * ns);
  CHECK(timing.response(command(read_parameter_page, 256)) == (23 + 13 + 256 * 2 + 17) * ns);
}

TEST_CASE("row addresses take the configured number of cycles") {
  ChannelParameters p = parameters();
  const Tick three = BusTiming(p, geometry).request(command(read));
  p.row_address_cycles = 4;
  CHECK(BusTiming(p, geometry).request(command(read)) == three + 20 * ns);
}

TEST_CASE("a transfer period that is not a whole number of ps is exact over a page") {
  ChannelParameters p = parameters();
  p.rate_mt_s = 1600;  // 625 ps
  CHECK(BusTiming(p, geometry).data(4096) == 30 * ns + 4096 * 625);
  p.rate_mt_s = 1200;  // 833.33 ps
  CHECK(BusTiming(p, geometry).data(4096) == 30 * ns + 3413333);
}

TEST_CASE("each interface has a highest rate, and a bus has whole bytes") {
  CHECK(fastest_mt_s(BusInterface::nv_ddr2) == 533);
  CHECK(fastest_mt_s(BusInterface::nv_ddr3) == 1600);
  CHECK(fastest_mt_s(BusInterface::nv_ddr4) == 3600);
  ChannelParameters p = parameters();
  CHECK_NOTHROW(check(p));
  p.width_bits = 12;
  CHECK_THROWS_AS(check(p), ConfigError);
}

}  // namespace
}  // namespace nandscape::channel
