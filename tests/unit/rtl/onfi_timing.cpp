// SPDX-License-Identifier: Apache-2.0
// Tests each timing check of an ONFI target. The check must report a host that breaks its limit by one picosecond, and
// must not report a host that just keeps it.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "catch.h"
#include "onfi_target_bench.h"
#include "rtl/onfi/addresses.h"
#include "rtl/onfi/commands.h"

namespace nandscape::rtl::onfi {
namespace {

constexpr Tick ns = nanosecond, us = microsecond;

// Returns the minimum times of a timing mode. The time named `broken` is one picosecond shorter than the minimum.
class Least {
 public:
  Least(TimingMode mode, const std::string& broken) : mode_(mode), broken_(broken) {}

  Tick operator()(const std::string& parameter) const {
    for (const Constraint& c : constraints(mode_.interface)) {
      if (parameter == c.parameter) return c.minimum[mode_.mode] - (parameter == broken_ ? 1 : 0);
    }
    FAIL("no constraint is named " + parameter);
    return 0;
  }

 private:
  TimingMode mode_;
  std::string broken_;
};

std::set<std::string> names(Interface interface) {
  std::set<std::string> found;
  for (const Constraint& c : constraints(interface)) found.insert(c.parameter);
  return found;
}

// Switches the target to the timing mode with slow cycles, and leaves CE_n high.
Tick enter(TargetBench& b, TimingMode mode) {
  Tick t = b.select(us);
  t = b.data_in(b.address(b.command(t, opcode::set_features), {timing_mode_feature}), {feature_value(mode), 0, 0, 0});
  return b.select(t + 2 * us, false);
}

void rise(TargetBench& b, Tick at) {
  b.at(at, [](HostPins& p) { p.we_n = true; });
}
void fall(TargetBench& b, Tick at) {
  b.at(at, [](HostPins& p) { p.we_n = false; });
}
void cle(TargetBench& b, Tick at, bool high) {
  b.at(at, [=](HostPins& p) { p.cle = high; });
}
void ale(TargetBench& b, Tick at, bool high) {
  b.at(at, [=](HostPins& p) { p.ale = high; });
}
void dq(TargetBench& b, Tick at, std::uint8_t byte) {
  b.at(at, [=](HostPins& p) { p.dq = byte; });
}
void re(TargetBench& b, Tick at, bool high) {
  b.at(at, [=](HostPins& p) { p.re_n = high; });
}
void ce(TargetBench& b, Tick at, bool high) {
  b.at(at, [=](HostPins& p) { p.ce_n = high; });
}

// Schedules a host that keeps each minimum time of SDR exactly, once each, and waits much longer otherwise. Each
// section tests one or a few of these times, and begins at a multiple of 20 us.
void draw_sdr(TargetBench& b, Tick t, const Least& least) {
  const auto section = [&t] { return t = (t / (20 * us) + 1) * 20 * us; };
  const auto read_id = [&b](Tick at) { return b.address(b.command(at, opcode::read_id), {id_of_onfi}); };
  // The command is latched tCS after CE_n falls. CLE is set up before, while CE_n is high.
  section();
  cle(b, t - us, true);
  dq(b, t - us, opcode::read_status);
  ce(b, t, false);
  fall(b, t);
  rise(b, t + least("tCS"));
  cle(b, t + 400 * ns, false);
  // CLE and DQ are stable for exactly their setup and hold times before and after a command. WE_n is low long before.
  section();
  fall(b, t - 400 * ns);
  cle(b, t - least("tCLS"), true);
  dq(b, t - least("tDS"), opcode::read_id);
  rise(b, t);
  dq(b, t + least("tDH"), 0);
  cle(b, t + least("tCLH"), false);
  // ALE is high for exactly its setup and hold times before and after an address.
  section();
  fall(b, t - 400 * ns);
  ale(b, t - least("tALS"), true);
  rise(b, t);
  ale(b, t + least("tALH"), false);
  // WE_n has one pulse of exactly tWP, then two pulses exactly tWH apart, then two pulses with a cycle time of exactly
  // tWC.
  section();
  Tick next = b.address(b.command(t, opcode::program), {0, 0, 0, 0, 0});
  dq(b, next, 0x11);
  next += us;
  fall(b, next);
  rise(b, next + least("tWP"));
  next += us;
  fall(b, next);
  rise(b, next + 300 * ns);
  fall(b, next + 300 * ns + least("tWH"));
  rise(b, next + 900 * ns);
  next += 2 * us;
  fall(b, next);
  rise(b, next + sdr_times(b.unit.timing_mode().mode).write_pulse);
  fall(b, next + least("tWC"));
  rise(b, next + 900 * ns);
  // Data-in begins exactly tADL after the address.
  section();
  next = b.address(b.command(t, opcode::program), {0, 0, 0, 0, 0}) - 900 * ns;  // latch of the last cycle
  fall(b, next + 50 * ns + least("tADL") - 300 * ns);
  rise(b, next + least("tADL"));
  // Data-in begins exactly tCCS after the column address.
  section();
  next = b.address(b.command(t, opcode::change_write_column), {4, 0}) - 900 * ns;
  fall(b, next + least("tCCS") - 200 * ns);
  rise(b, next + least("tCCS"));
  // RE_n has one pulse of exactly tRP, then two pulses exactly tREH apart, then two pulses with a cycle time of exactly
  // tRC.
  section();
  next = read_id(t);
  re(b, next, false);
  re(b, next + least("tRP"), true);
  next += us;
  re(b, next, false);
  re(b, next + 200 * ns, true);
  re(b, next + 200 * ns + least("tREH"), false);
  re(b, next + 600 * ns, true);
  next += us;
  re(b, next, false);
  re(b, next + sdr_times(b.unit.timing_mode().mode).read_pulse, true);
  re(b, next + least("tRC"), false);
  re(b, next + 600 * ns, true);
  // RE_n falls exactly tWHR after an address. CLE and ALE have been low for longer than required.
  section();
  next = b.command(t, opcode::read_id);
  b.at(next, [](HostPins& p) {
    p.ale = true;
    p.dq = id_of_onfi;
    p.we_n = false;
  });
  rise(b, next + 300 * ns);
  ale(b, next + 330 * ns, false);
  re(b, next + 300 * ns + least("tWHR"), false);
  re(b, next + 800 * ns, true);
  // RE_n falls exactly tAR after ALE, and later exactly tCLR after CLE.
  section();
  next = b.command(t, opcode::read_id);
  b.at(next, [](HostPins& p) {
    p.ale = true;
    p.we_n = false;
  });
  rise(b, next + 300 * ns);
  ale(b, next + 900 * ns, false);
  re(b, next + 900 * ns + least("tAR"), false);
  re(b, next + 1500 * ns, true);
  section();
  b.at(t, [](HostPins& p) {
    p.cle = true;
    p.dq = opcode::read_status;
    p.we_n = false;
  });
  rise(b, t + 300 * ns);
  cle(b, t + 900 * ns, false);
  re(b, t + 900 * ns + least("tCLR"), false);
  re(b, t + 1500 * ns, true);
  // WE_n falls exactly tRHW after RE_n. Then RE_n falls exactly tCCS after the command E0h, and WE_n exactly tWW after
  // WP_n.
  cle(b, t + 1500 * ns, true);
  fall(b, t + 1500 * ns + least("tRHW"));
  cle(b, t + 2500 * ns, false);
  rise(b, t + 2200 * ns);
  section();
  next = b.command(b.address(b.command(t, opcode::change_read_column_enhanced), {0, 0, 0, 0, 0}),
                   opcode::change_read_column_confirm) -
         900 * ns;
  re(b, next + least("tCCS"), false);
  re(b, next + 800 * ns, true);
  section();
  b.at(t, [](HostPins& p) {
    p.wp_n = false;
    p.cle = true;
    p.dq = opcode::read_status;
  });
  fall(b, t + least("tWW"));
  rise(b, t + us);
  b.at(t + 2 * us, [](HostPins& p) {
    p.wp_n = true;
    p.cle = false;
  });
  // CE_n rises exactly tCH after a cycle, and later stays high for exactly tCEH.
  section();
  cle(b, t - 400 * ns, true);
  fall(b, t - 400 * ns);
  rise(b, t);
  ce(b, t + least("tCH"), true);
  cle(b, t + 500 * ns, false);
  ce(b, t + us, false);
  ce(b, t + 2 * us, true);
  ce(b, t + 2 * us + least("tCEH"), false);
  // RE_n falls exactly tRR after R/B_n rises.
  section();
  next = b.command(b.address(b.command(t, opcode::read), {0, 0, 0, 0, 0}), opcode::read_confirm);
  b.call_at(next, [&b] { b.answer(*b.sent.at(0)); });
  re(b, next + least("tRR"), false);
  re(b, next + us, true);
  // SET FEATURES selects the same interface again. CE_n then falls exactly tITC later.
  section();
  next = b.data_in(b.address(b.command(t, opcode::set_features), {timing_mode_feature}),
                   {feature_value(b.unit.timing_mode()), 0, 0, 0}) -
         900 * ns;
  ce(b, next + 500 * ns, true);
  ce(b, next + least("tITC"), false);
}

TEST_CASE("each time of SDR is checked, in each mode") {
  const auto mode = static_cast<std::uint8_t>(GENERATE(0, 1, 2, 3, 4, 5));
  std::set<std::string> cases = names(Interface::sdr);
  cases.insert("");  // no time is broken
  for (const std::string& broken : cases) {
    TargetBench b;
    const Tick t = enter(b, {Interface::sdr, mode});
    b.play();
    REQUIRE(b.unit.timing_mode() == TimingMode{Interface::sdr, mode});
    draw_sdr(b, t, Least({Interface::sdr, mode}, broken));
    b.play();
    CAPTURE(int{mode}, broken);
    std::set<std::string> found;
    for (const Violation& violation : b.violations.list()) {
      INFO(violation.text);
      found.insert(violation.parameter);
      CHECK(violation.parameter == broken);
      CHECK(violation.measured == violation.required - 1);
    }
    CHECK(found.size() == (broken.empty() ? 0 : 1));
  }
}

// Schedules a host that keeps each minimum time of NV-DDR exactly. CLK need not be regular, but must not be too fast.
void draw_nv_ddr(TargetBench& b, Tick t, const Least& least, Tick strobe) {
  const auto section = [&t] { return t = (t / (20 * us) + 1) * 20 * us; };
  // Schedules a slow cycle. Returns the time at which it is latched.
  const auto latch = [&b](Tick at, bool is_command, std::uint8_t byte) {
    b.at(at, [=](HostPins& p) {
      p.we_n = false;
      p.cle = is_command;
      p.ale = !is_command;
      p.dq = byte;
    });
    rise(b, at + 200 * ns);
    b.at(at + 400 * ns, [](HostPins& p) {
      p.we_n = false;
      p.cle = p.ale = false;
    });
    return at + 200 * ns;
  };
  const auto both = [&b](Tick at, bool high) { b.at(at, [=](HostPins& p) { p.cle = p.ale = high; }); };
  section();
  fall(b, t - us);
  cle(b, t - us, true);
  dq(b, t - us, opcode::read_status);
  ce(b, t, false);
  rise(b, t + least("tCS"));
  fall(b, t + 300 * ns);
  cle(b, t + 300 * ns, false);
  // CLE, ALE and DQ are stable for exactly their setup and hold times before and after the edge of CLK.
  section();
  cle(b, t - least("tCALS"), true);
  dq(b, t - least("tCAS"), opcode::read_id);
  rise(b, t);
  dq(b, t + least("tCAH"), 0);
  cle(b, t + least("tCALH"), false);
  fall(b, t + 300 * ns);
  section();
  ale(b, t - least("tCALS"), true);
  rise(b, t);
  ale(b, t + least("tCALH"), false);
  fall(b, t + 300 * ns);
  // CLK rises twice without a cycle, exactly tCK apart. Then two cycles follow each other exactly tCAD apart.
  section();
  rise(b, t);
  fall(b, t + 3 * ns);
  rise(b, t + least("tCK"));
  fall(b, t + 300 * ns);
  section();
  b.at(t - 200 * ns, [](HostPins& p) {
    p.ale = true;
    p.dq = 0;
  });
  const Tick tail = least("tCAD");
  b.at(t - 200 * ns, [](HostPins& p) { p.cle = true; });
  ale(b, t - 200 * ns, false);
  dq(b, t - 200 * ns, opcode::read_status);
  rise(b, t);
  fall(b, t + 12 * ns);
  rise(b, t + std::max(tail, least("tCK")));
  fall(b, t + 300 * ns);
  cle(b, t + 300 * ns, false);
  // Data-in begins exactly tADL after the address. DQS follows CLK, and DQ is stable for exactly its setup and hold
  // times around the edges of DQS.
  section();
  latch(t, true, opcode::program);
  Tick latched = 0;
  for (unsigned k = 1; k <= 5; ++k) latched = latch(t + k * us, false, 0);
  const Tick first = latched + least("tADL");
  both(latched + 220 * ns, true);
  rise(b, first - strobe);
  both(first + 20 * ns, false);
  fall(b, first + 20 * ns);
  dq(b, first - least("tDS"), 0x5a);
  b.at(first, [](HostPins& p) { p.dqs = true; });
  dq(b, first + least("tDH"), 0xa5);
  b.at(first + 100 * ns, [](HostPins& p) { p.dqs = false; });
  // Data-in begins exactly tCCS after the column address.
  section();
  latch(t, true, opcode::change_write_column);
  latch(t + us, false, 8);
  latched = latch(t + 2 * us, false, 0);
  both(latched + 220 * ns, true);
  rise(b, latched + least("tCCS") - nv_ddr_times(b.unit.timing_mode().mode).clock);
  both(latched + least("tCCS") + 20 * ns, false);
  fall(b, latched + least("tCCS") + 20 * ns);
  b.at(latched + least("tCCS"), [](HostPins& p) { p.dqs = true; });
  b.at(latched + 700 * ns, [](HostPins& p) { p.dqs = false; });
  // Data-out begins exactly tWHR after a command and tWRCK after W/R_n. The next command follows exactly tRHW later.
  section();
  b.at(t, [](HostPins& p) {
    p.we_n = false;
    p.cle = true;
    p.dq = opcode::read_status;
  });
  rise(b, t + 200 * ns);
  b.at(t + 215 * ns, [](HostPins& p) {
    p.cle = p.we_n = false;
    p.re_n = false;
  });
  both(t + 230 * ns, true);
  rise(b, t + 200 * ns + least("tWHR"));
  both(t + 400 * ns, false);
  fall(b, t + 400 * ns);
  re(b, t + 500 * ns, true);
  section();
  latch(t, true, opcode::read_status);
  both(t + us, true);
  re(b, t + 2 * us, false);
  rise(b, t + 2 * us + least("tWRCK"));
  b.at(t + 2 * us + least("tWRCK") + 10 * ns, [](HostPins& p) {
    p.we_n = p.cle = p.ale = false;
    p.re_n = true;
  });
  cle(b, t + 2 * us + least("tWRCK") + 30 * ns, true);
  dq(b, t + 2 * us + least("tWRCK") + 30 * ns, opcode::read_id);
  rise(b, t + 2 * us + least("tWRCK") + least("tRHW"));
  b.at(t + 3 * us, [](HostPins& p) { p.we_n = p.cle = false; });
  // Data-out begins exactly tCCS after the command E0h.
  section();
  latch(t, true, opcode::change_read_column_enhanced);
  for (unsigned k = 1; k <= 5; ++k) latch(t + k * us, false, 0);
  latched = latch(t + 6 * us, true, opcode::change_read_column_confirm);
  re(b, latched + 220 * ns, false);
  both(latched + 240 * ns, true);
  rise(b, latched + least("tCCS"));
  both(latched + 700 * ns, false);
  fall(b, latched + 700 * ns);
  re(b, latched + 900 * ns, true);
  // CLK rises exactly tWW after WP_n. Later CE_n rises exactly tCH after CLK, and stays high for exactly tCEH.
  section();
  b.at(t, [](HostPins& p) {
    p.wp_n = false;
    p.cle = true;
    p.dq = opcode::read_status;
  });
  rise(b, t + least("tWW"));
  fall(b, t + us);
  b.at(t + 2 * us, [](HostPins& p) { p.wp_n = true; });
  section();
  rise(b, t);
  ce(b, t + least("tCH"), true);
  b.at(t + us, [](HostPins& p) { p.we_n = p.cle = false; });
  ce(b, t + 2 * us, false);
  ce(b, t + 3 * us, true);
  ce(b, t + 3 * us + least("tCEH"), false);
  // Data-out begins exactly tRR after R/B_n rises.
  section();
  latch(t, true, opcode::read);
  for (unsigned k = 1; k <= 5; ++k) latch(t + k * us, false, 0);
  latch(t + 6 * us, true, opcode::read_confirm);
  re(b, t + 7 * us, false);
  both(t + 8 * us, true);
  b.call_at(t + 9 * us, [&b] { b.answer(*b.sent.at(0)); });
  rise(b, t + 9 * us + least("tRR"));
  b.at(t + 10 * us, [](HostPins& p) { p.we_n = p.cle = p.ale = false; });
  re(b, t + 11 * us, true);
  // RESET returns the target to SDR. CE_n then falls exactly tITC later.
  section();
  latched = latch(t, true, opcode::reset);
  ce(b, latched + 500 * ns, true);
  ce(b, latched + least("tITC"), false);
}

TEST_CASE("each time of NV-DDR is checked, in each mode") {
  const auto mode = static_cast<std::uint8_t>(GENERATE(0, 1, 2, 3, 4, 5));
  const Tick clock = nv_ddr_times(mode).clock;
  std::set<std::string> cases = names(Interface::nv_ddr);
  cases.insert({"", "tDQSS early", "tDQSS late"});
  for (const std::string& broken : cases) {
    TargetBench b;
    const Tick t = enter(b, {Interface::nv_ddr, mode});
    b.play();
    REQUIRE(b.unit.timing_mode() == TimingMode{Interface::nv_ddr, mode});
    const Tick strobe = broken == "tDQSS early"  ? clock * 3 / 4 - 1
                        : broken == "tDQSS late" ? clock * 5 / 4 + 1
                                                 : clock;
    draw_nv_ddr(b, t, Least({Interface::nv_ddr, mode}, broken), strobe);
    b.play();
    CAPTURE(int{mode}, broken);
    std::set<std::string> found;
    for (const Violation& violation : b.violations.list()) {
      INFO(violation.text);
      found.insert(violation.parameter);
      CHECK(violation.parameter == broken.substr(0, broken.find(' ')));
    }
    // In mode 0, tCAD is shorter than tCK. A host that keeps tCK therefore cannot break tCAD.
    const bool hidden = broken == "tCAD" && mode == 0;
    CHECK(found.size() == (broken.empty() || hidden ? 0 : 1));
  }
}

TEST_CASE("places and address cycles are inverse to each other") {
  const Geometry geometry{
      .planes_per_die = 4, .blocks_per_plane = 1888, .pages_per_block = 576, .page_bytes = 16384, .spare_bytes = 2208};
  const Addresses addresses(geometry);
  for (const RowAddress& row : {RowAddress{}, RowAddress{0, PlaneInDie(3), BlockInPlane(1887), 575},
                                RowAddress{0, PlaneInDie(2), BlockInPlane(1000), 1}}) {
    CHECK(addresses.row(addresses.row_bytes(row)) == row);
    CHECK(addresses.exists(row));
  }
  CHECK(!addresses.exists({.page = 576}));
  CHECK(!addresses.exists({.block = BlockInPlane(1888)}));
  CHECK(!addresses.exists({.unit = 1}));
  CHECK(Addresses::column(addresses.column_bytes(18591)) == 18591);
  CHECK(addresses.has_column(18591));
  CHECK(!addresses.has_column(18592));
}

TEST_CASE("a die too large for the address cycles is refused") {
  Geometry large{.planes_per_die = 4, .blocks_per_plane = 8192, .pages_per_block = 1024, .page_bytes = 16384};
  CHECK_THROWS_WITH(Addresses(large), ContainsSubstring("takes 25 bits, but ONFI pins carry 24"));
  large = {.page_bytes = 65536, .spare_bytes = 1};
  CHECK_THROWS_WITH(Addresses(large), ContainsSubstring("65537 bytes"));
}

}  // namespace
}  // namespace nandscape::rtl::onfi
