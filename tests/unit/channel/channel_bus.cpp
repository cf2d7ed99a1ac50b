// SPDX-License-Identifier: Apache-2.0
// Tests how the channel bus arbitrates between commands and responses, and its timing.
#include "channel/channel_bus.h"

#include <string>
#include <vector>

#include "catch.h"
#include "core/error.h"

namespace nandscape::channel {
namespace {

using enum NandOperation;
using Log = std::vector<std::string>;

constexpr std::uint32_t dies = 4;

// A bench that takes the place of the controller and the dies, and logs every event in order.
struct Bench final {
  ChannelParameters parameters;
  Geometry geometry{.chips_per_channel = dies, .page_bytes = 4096, .spare_bytes = 0};
  BusTiming timing{parameters, geometry};
  Calendar calendar;
  ChannelBus<Bench> bus;
  NandCommand commands[dies];
  Log log;
  std::vector<Tick> times;
  NandCommand* follower = nullptr;  // command that is requested as soon as the next command has been delivered

  explicit Bench(BusArbitration arbitration = BusArbitration::command_first)
      : bus(calendar, timing, arbitration, dies, *this) {
    for (std::uint32_t die = 0; die < dies; ++die) {
      commands[die].operation = read;
      commands[die].die = DieInChannel(die);
      commands[die].bytes = 4096;
      commands[die].response_time = 3 * microsecond;  // for cache reads, this is tRCBSY
    }
  }

  void note(const std::string& what, const NandCommand& command, Tick now) {
    log.push_back(what + " " + std::to_string(command.die.value));
    times.push_back(now);
  }
  void deliver(NandCommand& command, Tick now) {
    note("deliver", command, now);
    if (follower != nullptr) bus.request(*std::exchange(follower, nullptr), now);
  }
  void begin_response(NandCommand& command, Tick now) {
    note("begin", command, now);
    calendar.schedule<&Bench::end_response>(now + command.response_time, *this, std::uint64_t{command.die.value});
  }
  void end_response(std::uint64_t die) {
    note("end", commands[die], calendar.now());
    bus.response_ended(calendar.now());
  }
  void run() { calendar.run_until(never); }

  Tick request_time() { return timing.request(commands[0]); }
  Tick response_time() { return timing.response(commands[0]); }
};

TEST_CASE("a command on an idle bus is delivered when its cycles end") {
  Bench b;
  b.calendar.advance(100);
  b.bus.request(b.commands[2], 100);
  b.run();
  CHECK(b.log == Log{"deliver 2"});
  CHECK(b.times == std::vector<Tick>{100 + b.request_time()});
}

TEST_CASE("a response on an idle bus begins at once and holds the bus for its duration") {
  Bench b;
  b.bus.response_ready(b.commands[1], 0);
  b.bus.response_ready(b.commands[3], 0);
  b.run();
  CHECK(b.log == Log{"begin 1", "end 1", "begin 3", "end 3"});
  CHECK(b.times == std::vector<Tick>{0, b.response_time(), b.response_time(), 2 * b.response_time()});
}

TEST_CASE("a command waits for the current transfer and goes before waiting responses") {
  Bench b;
  b.bus.response_ready(b.commands[0], 0);
  b.bus.response_ready(b.commands[1], 0);
  b.bus.request(b.commands[3], 0);
  b.run();
  CHECK(b.log == Log{"begin 0", "end 0", "deliver 3", "begin 1", "end 1"});
  CHECK(b.times[2] == b.response_time() + b.request_time());
  CHECK(b.times[3] == b.times[2]);
}

TEST_CASE("with response_first, a command waits for all responses") {
  Bench b(BusArbitration::response_first);
  b.bus.response_ready(b.commands[0], 0);
  b.bus.response_ready(b.commands[1], 0);
  b.bus.request(b.commands[3], 0);
  b.run();
  CHECK(b.log == Log{"begin 0", "end 0", "begin 1", "end 1", "deliver 3"});
}

TEST_CASE("a command that follows a command gets the bus before waiting responses") {
  Bench b;
  b.follower = &b.commands[1];
  b.bus.request(b.commands[0], 0);
  b.bus.response_ready(b.commands[2], 0);
  b.run();
  CHECK(b.log == Log{"deliver 0", "deliver 1", "begin 2", "end 2"});
  CHECK(b.times[1] == 2 * b.request_time());
}

TEST_CASE("responses are sent in the order in which the dies became ready, over many rounds") {
  Bench b;
  b.bus.request(b.commands[0], 0);
  Log expected;
  for (int round = 0; round < 3; ++round) {
    for (const std::uint32_t die : {2u, 0u, 3u, 1u}) {
      b.bus.response_ready(b.commands[die], b.calendar.now());
      expected.push_back("begin " + std::to_string(die));
    }
    b.run();
    Log begun;
    for (const std::string& entry : b.log) {
      if (entry.starts_with("begin")) begun.push_back(entry);
    }
    CHECK(begun == expected);
  }
}

TEST_CASE("only one command at a time may request the bus") {
  Bench b;
  b.bus.request(b.commands[0], 0);
  CHECK_THROWS_AS(b.bus.request(b.commands[1], 0), ProtocolError);
  b.run();
  b.bus.request(b.commands[1], b.calendar.now());
  b.run();
  CHECK(b.log == Log{"deliver 0", "deliver 1"});
}

TEST_CASE("a cache read reaches its die at once and pays for its cycles at the preceding data-out") {
  Bench b;
  const bool busy = GENERATE(false, true);
  if (busy) b.bus.request(b.commands[3], 0);  // this request occupies the bus, but the cache read must not wait for it
  NandCommand cached = b.commands[1];
  cached.cache = true;
  b.bus.request_cache_read(cached, 0);
  CHECK(b.log.front() == "deliver 1");
  b.run();
  // The cycles of the cache read must not lengthen the response of a different die.
  b.bus.response_ready(b.commands[0], b.calendar.now());
  b.run();
  CHECK(b.commands[0].cache_read_confirmed == 0);
  CHECK(b.commands[0].response_time == b.response_time());
  const Tick begun = b.calendar.now();
  b.bus.response_ready(b.commands[1], begun);
  b.run();
  CHECK(b.commands[1].cache_read_confirmed == begun + b.request_time());
  CHECK(b.commands[1].response_time == b.request_time() + 3 * microsecond + b.response_time());
  // They lengthened one response of the die, and must not lengthen its next response.
  b.commands[1].cache_read_confirmed = 0;
  b.bus.response_ready(b.commands[1], b.calendar.now());
  b.run();
  CHECK(b.commands[1].cache_read_confirmed == 0);
}

TEST_CASE("a cache read pays for its own cycles and those of its retry step") {
  Bench b;
  NandCommand cached = b.commands[1];
  cached.cache = true;
  cached.retry_step = 4;
  b.bus.request_cache_read(cached, 0);
  b.bus.response_ready(b.commands[1], 0);
  b.run();
  CHECK(b.commands[1].cache_read_confirmed == b.request_time() + 2 * 25 * nanosecond);
}

TEST_CASE("after a reset, no response pays for the cycles of a cache read") {
  Bench b;
  NandCommand cached = b.commands[1];
  cached.cache = true;
  b.bus.request_cache_read(cached, 0);
  NandCommand stop = b.commands[1];
  stop.operation = reset;
  b.bus.request(stop, 0);
  b.run();
  b.bus.response_ready(b.commands[1], b.calendar.now());
  b.run();
  CHECK(b.commands[1].response_time == b.response_time());
}

TEST_CASE("a waiting response can be withdrawn, and the others keep their order") {
  Bench b;
  b.bus.request(b.commands[0], 0);
  for (const std::uint32_t die : {2u, 0u, 3u, 1u}) b.bus.response_ready(b.commands[die], 0);
  const std::uint32_t withdrawn = GENERATE(2u, 0u, 3u, 1u);
  CHECK(b.bus.withdraw_response(DieInChannel(withdrawn)) == &b.commands[withdrawn]);
  CHECK(b.bus.withdraw_response(DieInChannel(withdrawn)) == nullptr);
  b.run();
  Log expected;
  for (const std::uint32_t die : {2u, 0u, 3u, 1u}) {
    if (die != withdrawn) expected.push_back("begin " + std::to_string(die));
  }
  Log begun;
  for (const std::string& entry : b.log) {
    if (entry.starts_with("begin")) begun.push_back(entry);
  }
  CHECK(begun == expected);
}

TEST_CASE("soft bits move over the bus as hard bits do") {
  Bench b;
  b.commands[0].sensing_levels = 4;
  b.bus.response_ready(b.commands[0], 0);
  b.run();
  CHECK(b.bus.counters().bytes_out == 3 * 4096);
  CHECK(b.bus.counters().busy == b.timing.response(b.commands[0]));
}

TEST_CASE("the bus counts the bytes it moved and the time it was held") {
  Bench b;
  b.commands[1].operation = program;
  const Tick program_time = b.timing.request(b.commands[1]);
  b.follower = &b.commands[1];
  b.bus.request(b.commands[0], 0);
  b.run();
  b.bus.response_ready(b.commands[0], b.calendar.now());
  b.run();
  b.bus.response_ready(b.commands[1], b.calendar.now());
  b.run();
  const ChannelCounters& counters = b.bus.counters();
  CHECK(counters.commands == 2);
  CHECK(counters.bytes_in == 4096);
  CHECK(counters.bytes_out == 4096);
  CHECK(counters.busy == b.request_time() + program_time + b.response_time() + b.timing.response(b.commands[1]));
}

}  // namespace
}  // namespace nandscape::channel
