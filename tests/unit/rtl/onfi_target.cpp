// SPDX-License-Identifier: Apache-2.0
// Tests the behaviour of an ONFI target at its pins, and the violations that it reports for hosts that break the rules.
#include <string>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "onfi_target_bench.h"
#include "rtl/onfi/commands.h"

namespace nandscape::rtl::onfi {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr Tick ns = nanosecond, us = microsecond;

TEST_CASE("READ ID returns ONFI at 20h, and no manufacturer at 00h") {
  TargetBench b;
  Tick t = b.select(us);
  t = b.address(b.command(t, opcode::read_id), {0x20});
  t = b.data_out(t, 4);
  t = b.address(b.command(t, opcode::read_id), {0x00});
  b.data_out(t, 2);
  b.play();
  CHECK(b.out == Bytes{'O', 'N', 'F', 'I', 0, 0});
  CHECK(b.violated().empty());
}

TEST_CASE("READ STATUS of a busy target returns SR6 = 0, and all other commands are refused") {
  TargetBench b;
  Tick t = b.select(us);
  t = b.command(b.address(b.command(t, opcode::erase), {0x20, 0x00, 0x00}), opcode::erase_confirm);
  t = b.data_out(b.command(t, opcode::read_status), 1);
  t = b.address(b.command(t, opcode::program), {0, 0, 0, 0, 0});
  t = b.data_out(b.command(t, opcode::read_status), 1);
  b.call_at(t, [&] { b.answer(*b.sent.at(0)); });
  b.data_out(b.command(t + us, opcode::read_status), 1);
  b.play();
  REQUIRE(b.sent.size() == 1);
  CHECK(b.sent[0]->operation == NandOperation::erase);
  CHECK(b.out == Bytes{0x80, 0x80, 0xe0});
  REQUIRE(b.violations.list().size() == 1);
  CHECK_THAT(b.violations.list()[0].text, ContainsSubstring("command 80h comes while R/B_n is low"));
}

TEST_CASE("a program takes its data by column, and the rest of the page is FFh") {
  TargetBench b;
  Tick t = b.select(us);
  // The row address is that of page 7, plane 1, block 3: 7 | 1 << 4 | 3 << 5.
  t = b.address(b.command(t, opcode::program), {0x02, 0x00, 0x77, 0x00, 0x00});
  t = b.data_in(t, {0x11, 0x22});
  t = b.data_in(b.address(b.command(t, opcode::change_write_column), {0xfe, 0x01}), {0x33, 0x44, 0x55});
  b.command(t, opcode::program_confirm);
  b.play();
  REQUIRE(b.sent.size() == 1);
  const NandCommand& c = *b.sent[0];
  CHECK(c.operation == NandOperation::program);
  CHECK(c.plane == PlaneInDie(1));
  CHECK(c.block == BlockInPlane(3));
  CHECK(c.page == 7);
  CHECK(c.bytes == 512);
  std::vector<std::byte> expected(544, std::byte{0xff});
  expected[2] = std::byte{0x11};
  expected[3] = std::byte{0x22};
  expected[510] = std::byte{0x33};
  expected[511] = std::byte{0x44};
  expected[512] = std::byte{0x55};  // the first spare byte
  CHECK(std::equal(expected.begin(), expected.end(), c.data));
  CHECK(b.violated().empty());
}

TEST_CASE("data-out begins at the column, continues after a status, and moves with CHANGE READ COLUMN") {
  TargetBench b;
  Tick t = b.select(us);
  t = b.command(b.address(b.command(t, opcode::read), {0x05, 0x00, 0x00, 0x00, 0x00}), opcode::read_confirm);
  b.call_at(t, [&] {
    for (unsigned k = 0; k < 544; ++k) b.sent.at(0)->data[k] = static_cast<std::byte>(k);
    b.answer(*b.sent[0]);
  });
  t = b.data_out(t + us, 2);
  t = b.data_out(b.command(t, opcode::read_status), 1);
  t = b.data_out(b.command(t, opcode::read), 1);
  t = b.command(b.address(b.command(t, opcode::change_read_column), {0x1f, 0x02}), opcode::change_read_column_confirm);
  b.data_out(t, 2);
  b.play();
  // The page has 544 bytes, including the spare bytes. Reads after its end return FFh.
  CHECK(b.out == Bytes{5, 6, 0xe0, 7, 0x1f, 0xff});
  CHECK(b.violated().empty());
}

TEST_CASE("a requested status is still returned after a page arrives, until 00h") {
  TargetBench b;
  Tick t = b.select(us);
  t = b.command(b.address(b.command(t, opcode::read), {0x05, 0x00, 0x00, 0x00, 0x00}), opcode::read_confirm);
  t = b.data_out(b.command(t, opcode::read_status), 1);
  b.call_at(t, [&] {
    for (unsigned k = 0; k < 544; ++k) b.sent.at(0)->data[k] = static_cast<std::byte>(k);
    b.answer(*b.sent[0]);
  });
  t = b.data_out(t + us, 1);
  b.data_out(b.command(t, opcode::read), 2);
  b.play();
  CHECK(b.out == Bytes{0x80, 0xe0, 5, 6});
  CHECK(b.violated().empty());
}

TEST_CASE("a write-protected target does not program or erase, and its status reports protection") {
  TargetBench b;
  b.at(0, [](HostPins& p) { p.wp_n = false; });
  Tick t = b.select(us);
  t = b.command(b.address(b.command(t, opcode::erase), {0, 0, 0}), opcode::erase_confirm);
  t = b.command(b.address(b.command(t, opcode::program), {0, 0, 0, 0, 0}), opcode::program_confirm);
  b.data_out(b.command(t, opcode::read_status), 1);
  b.play();
  CHECK(b.sent.empty());
  CHECK(b.out == Bytes{0x60});
}

TEST_CASE("invalid cycles are reported once, and have no effect") {
  TargetBench b;
  Tick t = b.select(us);
  std::string why;
  SECTION("an unknown command, with its address and data") {
    t = b.data_in(b.address(b.command(t, 0x42), {1, 2}), {3});
    why = "command 42h is unknown to this target";
  }
  SECTION("a confirm cycle without a command") {
    b.command(t, opcode::program_confirm);
    why = "10h confirms nothing: 80h, column and row must come first";
  }
  SECTION("an unexpected address") {
    b.address(b.command(t, opcode::read_id), {0, 0});
    why = "an address cycle (00h) comes, but no command takes one";
  }
  SECTION("data-in without a program") {
    b.data_in(t, {1, 2});
    why = "data-in comes, but no program is open for it";
  }
  SECTION("data-in past the end of the page") {
    b.data_in(b.address(b.command(t, opcode::program), {0x1f, 0x02, 0, 0, 0}), {1, 2, 3});
    why = "past the end of the page, which has 544 bytes";
  }
  SECTION("data-out without data") {
    b.data_out(t, 1);
    why = "data-out is requested, but no command has any";
  }
  SECTION("CLE and ALE together") {
    b.latch(t, true, true, 0x70);
    why = "CLE and ALE are both high";
  }
  SECTION("a feature that does not exist") {
    b.data_in(b.address(b.command(t, opcode::set_features), {0x90}), {0, 0, 0, 0});
    why = "the target has no feature 90h";
  }
  SECTION("a timing mode that does not exist") {
    b.data_in(b.address(b.command(t, opcode::set_features), {0x01}), {0x16, 0, 0, 0});
    why = "P1 of feature 01h is 16h";
  }
  SECTION("a synchronous reset over SDR") {
    b.command(t, opcode::synchronous_reset);
    why = "a synchronous reset belongs to NV-DDR";
  }
  SECTION("a cache read without a read") {
    b.command(t, opcode::read_cache_end);
    why = "3Fh comes without a cache read";
  }
  b.play();
  REQUIRE(b.violations.list().size() == 1);
  CHECK(b.violations.list()[0].parameter == "sequence");
  CHECK_THAT(b.violations.list()[0].text, ContainsSubstring("target: ") && ContainsSubstring(why));
  CHECK(b.sent.empty());
  CHECK(b.unit.ready());
}

TEST_CASE("queued planes can only be followed by the same operation on other planes") {
  TargetBench b;
  Tick t = b.select(us);
  const bool same_plane = GENERATE(false, true);
  t = b.command(b.address(b.command(t, opcode::erase), {0x20, 0, 0}), opcode::erase_queue_plane);
  if (same_plane) {
    b.command(b.address(b.command(t, opcode::erase), {0x40, 0, 0}), opcode::erase_confirm);
  } else {
    t = b.address(b.command(t, opcode::read), {0, 0, 0x30, 0, 0});
    b.command(t, opcode::read_confirm);
  }
  b.play();
  REQUIRE(b.sent.size() == 1);
  CHECK(b.sent[0]->operation == (same_plane ? NandOperation::erase : NandOperation::read));
  CHECK(!b.sent[0]->more_planes);
  REQUIRE(b.violations.list().size() == 1);
  CHECK_THAT(b.violations.list()[0].text, ContainsSubstring("does not join them"));
}

TEST_CASE("a reserved row is reported, and fails a program and an erase") {
  TargetBench b;
  Tick t = b.select(us);
  // The row addresses name one page, one block or one logical unit more than there are.
  const Bytes row = GENERATE(Bytes{0x0c, 0, 0}, Bytes{0xa0, 0, 0}, Bytes{0x00, 0x01, 0});
  const bool erase = GENERATE(false, true);
  if (erase) {
    t = b.command(b.address(b.command(t, opcode::erase), row), opcode::erase_confirm);
  } else {
    t = b.address(b.command(t, opcode::program), {0, 0, row[0], row[1], row[2]});
    t = b.command(t, opcode::program_confirm);
  }
  b.data_out(b.command(t, opcode::read_status), 1);
  b.play();
  CHECK(b.sent.empty());
  CHECK(b.out == Bytes{0xe1});
  REQUIRE(b.violations.list().size() == 1);
  CHECK_THAT(b.violations.list()[0].text, ContainsSubstring("names a row that the target does not have"));
}

TEST_CASE("SET FEATURES changes the interface with the next rise of CE_n, and RESET returns to SDR") {
  TargetBench b;
  Tick t = b.select(us);
  t = b.data_in(b.address(b.command(t, opcode::set_features), {0x01}), {0x13, 0, 0, 0});
  b.call_at(t, [&] {
    CHECK(!b.unit.ready());
    CHECK(b.unit.timing_mode() == TimingMode{});
  });
  t = b.select(t + 2 * us, false);
  b.call_at(t, [&] {
    CHECK(b.unit.ready());
    CHECK(b.unit.timing_mode() == TimingMode{Interface::nv_ddr, 3});
  });
  b.play();
  CHECK(b.violated().empty());
  // Over NV-DDR, CLK latches.
  t = b.select(t);
  b.at(t, [](HostPins& p) {
    p.we_n = false;
    p.cle = true;
    p.dq = opcode::reset;
  });
  b.at(t + 100 * ns, [](HostPins& p) { p.we_n = true; });
  b.play();
  REQUIRE(b.sent.size() == 1);
  CHECK(b.sent[0]->operation == NandOperation::reset);
  b.sent[0]->response_time = 5 * us;
  b.answer(*b.sent[0]);
  b.select(b.now + us, false);
  b.play();
  CHECK(b.unit.timing_mode() == TimingMode{});
  CHECK(b.unit.ready());
  CHECK(b.violated().empty());
}

TEST_CASE("RESET over SDR keeps the timing mode") {
  TargetBench b;
  Tick t = b.select(us);
  t = b.data_in(b.address(b.command(t, opcode::set_features), {0x01}), {0x04, 0, 0, 0});
  t = b.select(b.select(t + 2 * us, false));
  b.command(t, opcode::reset);
  b.play();
  b.answer(*b.sent.at(0));
  b.select(b.now + 10 * us, false);
  b.play();
  CHECK(b.unit.timing_mode() == TimingMode{Interface::sdr, 4});
}

TEST_CASE("a violation can be an error") {
  Violations violations("u17", OnViolation::fail);
  CHECK_THROWS_AS(violations.sequence(5 * us, "something"), ProtocolError);
  TimingChecks checks(violations);
  checks.happened(BusEvent::write_fall, 10 * us);
  CHECK_THROWS_WITH(checks.happened(BusEvent::write_rise, 10 * us + 49 * ns),
                    "u17: tWP is 49 ns at 10.049 us; SDR mode 0 requires at least 50 ns");
}

}  // namespace
}  // namespace nandscape::rtl::onfi
