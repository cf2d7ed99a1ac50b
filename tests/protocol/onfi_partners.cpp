// SPDX-License-Identifier: Apache-2.0
// Tests combinations with external partners at ONFI pins: an external controller that drives our target, external
// targets that misbehave, and our channel in front of a command player.
#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "channel/channel_module.h"
#include "kernel.h"
#include "nand/die_module.h"
#include "onfi_bench.h"
#include "platform/wiring/calendar_module.h"
#include "rtl/onfi/onfi_wires.h"

namespace nandscape {
namespace {

using namespace rtl::onfi;
using sc_core::SC_NS;
using sc_core::sc_time;

constexpr Tick us = microsecond;

// An external channel controller that does not use the calendar. It is an SC_THREAD that drives the pins in SDR mode 0.
struct Controller final : sc_core::sc_module {
  SC_HAS_PROCESS(Controller);
  explicit Controller(const sc_core::sc_module_name& name, OnfiWires& w) : sc_module(name), wires(w) { SC_THREAD(run); }

  void cycle(bool cle, bool ale, unsigned byte) {
    wires.cle = cle;
    wires.ale = ale;
    wires.host_dq = byte;
    wires.we_n = false;
    wait(60, SC_NS);
    wires.we_n = true;
    wait(60, SC_NS);
  }
  void command(unsigned byte) { cycle(true, false, byte); }
  void addresses(const std::vector<unsigned>& bytes) {
    for (const unsigned byte : bytes) cycle(false, true, byte);
  }
  unsigned data_out() {
    wires.cle = wires.ale = false;
    wait(200, SC_NS);
    wires.re_n = false;
    wait(60, SC_NS);
    const unsigned byte = wires.target_dq.read().to_uint();
    CHECK(wires.target_dq_enable.read());
    wires.re_n = true;
    wait(300, SC_NS);
    return byte;
  }
  unsigned status() {
    command(0x70);
    return data_out();
  }

  void run() {
    wires.ce_n = false;
    wait(100, SC_NS);
    command(0xff);
    wait(wires.rb_n.posedge_event());
    command(0x90);
    addresses({0x20});
    for (int k = 0; k < 4; ++k) id.push_back(data_out());
    // Programs page 0 of block 1 in plane 0, whose row address is 20h.
    command(0x80);
    addresses({0, 0, 0x20, 0, 0});
    wires.ale = false;
    wait(500, SC_NS);
    for (unsigned k = 0; k < 8; ++k) cycle(false, false, 0xa0 + k);
    command(0x10);
    busy_status = status();
    const sc_time begun = sc_core::sc_time_stamp();
    wait(wires.rb_n.posedge_event());
    busy = sc_core::sc_time_stamp() - begun;
    ready_status = status();
    command(0x00);
    addresses({2, 0, 0x20, 0, 0});
    command(0x30);
    wait(wires.rb_n.posedge_event());
    for (int k = 0; k < 8; ++k) page.push_back(data_out());
    wires.ce_n = true;
    done = true;
  }

  OnfiWires& wires;
  std::vector<unsigned> id, page;
  unsigned busy_status = 0, ready_status = 0;
  sc_time busy;
  bool done = false;
};

struct ControllerBench {
  explicit ControllerBench(Tick lookahead) : timing(OnfiBench::parameters()) {
    driver.limit_lookahead(lookahead);
    wires.connect(device);
    device.die_socket().bind(die.socket());
  }

  Kernel kernel;
  Calendar calendar;
  CalendarModule driver{"calendar", calendar, millisecond};
  const Geometry geometry = OnfiBench::small_geometry();
  const nand::NandTiming timing;
  nand::DieModule die{
      "die", calendar, geometry, timing,
      std::make_unique<nand::PageStore>(PageLayout::sharing_spare(512, 32, 512), nand::PageStore::Spare::kept)};
  OnfiWires wires{"wires"};
  OnfiDeviceModule device{"device", calendar, geometry, 7};
  Controller controller{"controller", wires};
};

TEST_CASE("a controller that is an independent process programs and reads a die at its pins") {
  ControllerBench b(0);
  sc_core::sc_start(5, sc_core::SC_MS);
  REQUIRE(b.controller.done);
  CHECK(b.controller.id == std::vector<unsigned>{'O', 'N', 'F', 'I'});
  CHECK(b.controller.busy_status == 0x80);
  CHECK(b.controller.ready_status == 0xe0);
  CHECK(b.controller.page == std::vector<unsigned>{0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xff, 0xff});
  CHECK(to_ticks(b.controller.busy) > 700 * us);
  CHECK(to_ticks(b.controller.busy) < 701 * us);
  for (const Violation& violation : b.device.violations().list()) FAIL_CHECK(violation.text);
}

TEST_CASE("the error for a calendar that runs ahead of the pins says which function to call") {
  ControllerBench b(millisecond);
  CHECK_THROWS_WITH(sc_core::sc_start(5, sc_core::SC_MS), ContainsSubstring("device: the calendar is at ") &&
                                                              ContainsSubstring("CalendarModule::limit_lookahead(0)"));
}

// An initiator that sends commands to a player or a channel.
struct Initiator final : sc_core::sc_module {
  Initiator(const sc_core::sc_module_name& name, Calendar& c)
      : sc_module(name), calendar(c), port("socket", c, *this) {}

  void send(NandCommand& command) { calendar.schedule<&Initiator::begin>(calendar.now(), *this, command); }
  void begin(NandCommand& command) {
    command.payload = &payloads.acquire(command);
    port.begin_request(command);
  }
  void request_ended(NandCommand&, Tick now) {
    accepted = now;
    if (then != nullptr) calendar.schedule<&Initiator::begin>(now, *this, *std::exchange(then, nullptr));
  }
  bool response_begins(NandCommand& command, Tick now) {
    answered = now;
    if (completed_in_the_call(command)) return true;
    calendar.schedule<&Initiator::end>(now + command.response_time, *this, command);
    return false;
  }
  void end(NandCommand& command) { port.end_response(command); }
  void job_over(tlm::tlm_generic_payload& payload) { payload.release(); }

  Calendar& calendar;
  JobPayloadPool<NandCommand> payloads;
  JobInitiatorPort<NandCommand, Initiator> port;
  Tick accepted = never;
  Tick answered = never;
  NandCommand* then = nullptr;  // command to be sent when the request of the current command has ended
};

// A player whose pins are not connected to any target.
struct DeadTarget {
  explicit DeadTarget(const PlayerSettings& settings) : player("player", calendar, geometry, settings) {
    driver.limit_lookahead(0);
    wires.connect(player);
    initiator.port.socket.bind(player.socket());
  }

  Kernel kernel;
  Calendar calendar;
  CalendarModule driver{"calendar", calendar, 0};
  const Geometry geometry = OnfiBench::small_geometry();
  OnfiWires wires{"wires"};
  Initiator initiator{"initiator", calendar};
  OnfiPlayerModule player;
};

TEST_CASE("a target that keeps R/B_n low does not hang the player") {
  DeadTarget b({.timing = {}, .watchdog = 5 * millisecond});
  b.wires.rb_n.write(false);
  NandCommand command;
  command.bytes = 512;
  b.initiator.send(command);
  b.driver.run(second);
  CHECK_THROWS_WITH(b.driver.rethrow(), ContainsSubstring("player: the ONFI target makes no progress for 5000") &&
                                            ContainsSubstring("at read die 0 plane 0 block 0 page 0") &&
                                            ContainsSubstring("in the RESET or SET FEATURES before it") &&
                                            ContainsSubstring("R/B_n stays low"));
  CHECK(b.calendar.now() < 6 * millisecond);
}

TEST_CASE("a target that sends no strobes does not hang the player") {
  DeadTarget b({.timing = {Interface::nv_ddr, 2}, .watchdog = 5 * millisecond});
  NandCommand command;
  command.bytes = 512;
  b.initiator.send(command);
  b.driver.run(second);
  CHECK_THROWS_WITH(b.driver.rethrow(), ContainsSubstring("player: ") && ContainsSubstring("its DQS does not move"));
}

// A channel with two dies. Each die has its own pins, with a player and a target.
struct PlayedChannel {
  struct Way {
    Way(PlayedChannel& c, BusTurns* turns, const std::string& n)
        : wires((n + "_wires").c_str()),
          player((n + "_player").c_str(), c.calendar, c.geometry,
                 {.timing = {Interface::sdr, 5}, .spare = {.parity_bytes = 32}}, turns),
          device((n + "_device").c_str(), c.calendar, c.geometry, 7),
          die((n + "_die").c_str(), c.calendar, c.geometry, c.timing,
              std::make_unique<nand::PageStore>(PageLayout::sharing_spare(512, 32, 512),
                                                nand::PageStore::Spare::kept)) {
      wires.connect(player);
      wires.connect(device);
      device.die_socket().bind(die.socket());
    }
    OnfiWires wires;
    OnfiPlayerModule player;
    OnfiDeviceModule device;
    nand::DieModule die;
  };

  explicit PlayedChannel(BusTurns* turns) {
    initiator.port.socket.bind(channel.socket());
    for (std::uint32_t die = 0; die < 2; ++die) {
      ways.emplace_back(*this, turns, "way_" + std::to_string(die));
      channel.die_socket(DieInChannel(die)).bind(ways.back().player.socket());
      commands[die].block = BlockInPlane(2);
      commands[die].die = DieInChannel(die);
      commands[die].bytes = 512;
    }
  }

  // Runs until all commands that were sent have ended.
  void run() {
    driver.run(never);
    driver.rethrow();
  }

  Kernel kernel;
  Calendar calendar;
  CalendarModule driver{"calendar", calendar, 0};
  const Geometry geometry = OnfiBench::small_geometry();
  const nand::NandTiming timing{OnfiBench::parameters()};
  const channel::BusTiming no_time{channel_without_bus_time({}), geometry};
  channel::ChannelModule channel{"channel", calendar, no_time, channel::BusArbitration::command_first, 2};
  Initiator initiator{"initiator", calendar};
  std::deque<Way> ways;
  NandCommand commands[2];
};

TEST_CASE("the bus time of a channel's players counts once") {
  PlayedChannel b(nullptr);
  for (std::uint32_t die = 0; die < 2; ++die) {
    std::vector<std::byte> data(544, std::byte{static_cast<unsigned char>(0x31 + die)}), back(544);
    NandCommand write = b.commands[die];
    write.operation = NandOperation::program;
    write.data = data.data();
    b.initiator.send(write);
    b.run();
    NandCommand& read = b.commands[die];
    read.data = back.data();
    const Tick begun = b.calendar.now();
    b.initiator.send(read);
    b.run();
    CHECK((back == data));
    // The read lasts tR, plus 20 ns per byte, plus less than 3 us for the other cycles and waiting times.
    CHECK(b.initiator.answered - begun > 61 * us + 544 * 20 * nanosecond);
    CHECK(b.initiator.answered - begun < 61 * us + 544 * 20 * nanosecond + 3 * us);
  }
}

TEST_CASE("targets on one bus take turns, targets on two buses do not wait for each other") {
  BusTurns turns;
  const bool shared = GENERATE(false, true);
  PlayedChannel b(shared ? &turns : nullptr);
  std::vector<std::byte> data[2] = {std::vector<std::byte>(544), std::vector<std::byte>(544)};
  for (std::uint32_t die = 0; die < 2; ++die) {
    NandCommand& write = b.commands[die];
    write.operation = NandOperation::program;
    std::fill(data[die].begin(), data[die].end(), std::byte{static_cast<unsigned char>(0x51 + die)});
    write.data = data[die].data();
    b.initiator.send(write);
    b.run();
  }
  for (NandCommand& command : b.commands) {
    std::fill(command.data, command.data + 544, std::byte{});
    command.operation = NandOperation::read;
  }
  const Tick begun = b.calendar.now();
  b.initiator.then = &b.commands[1];
  b.initiator.send(b.commands[0]);
  b.run();
  for (std::uint32_t die = 0; die < 2; ++die) {
    CHECK((data[die] == std::vector<std::byte>(544, std::byte{static_cast<unsigned char>(0x51 + die)})));
  }
  const Tick one_page = 544 * 20 * nanosecond;
  const Tick both = b.initiator.answered - begun;
  CHECK(both > 61 * us + (shared ? 2 : 1) * one_page);
  CHECK(both < 61 * us + (shared ? 2 : 1) * one_page + 4 * us);
  for (const PlayedChannel::Way& way : b.ways) CHECK(way.device.violations().list().empty());
}

TEST_CASE("a reset does not wait for a bus turn of the command that it aborts") {
  BusTurns turns;
  PlayedChannel b(&turns);
  std::vector<std::byte> data(544);
  for (NandCommand& command : b.commands) command.data = data.data();
  // The first run is not checked further. It makes the players set the timing mode.
  b.initiator.then = &b.commands[1];
  b.initiator.send(b.commands[0]);
  b.run();
  CHECK(b.commands[1].status == NandStatus::pass);
  NandCommand stop = b.commands[1];
  stop.operation = NandOperation::reset;
  stop.bytes = 0;
  stop.data = nullptr;
  NandCommand again[2] = {b.commands[0], b.commands[1]};
  // The reset arrives while die 1 waits for the bus, on which die 0 transfers its page.
  b.initiator.then = &again[1];
  b.initiator.send(again[0]);
  b.calendar.schedule<&Initiator::begin>(b.calendar.now() + 66 * us, b.initiator, stop);
  b.run();
  CHECK(again[0].status == NandStatus::pass);
  CHECK(again[1].status == NandStatus::aborted);
  CHECK(stop.status == NandStatus::pass);
  for (const PlayedChannel::Way& way : b.ways) CHECK(way.device.violations().list().empty());
}

}  // namespace
}  // namespace nandscape
