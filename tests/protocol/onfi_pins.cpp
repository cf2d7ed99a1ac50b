// SPDX-License-Identifier: Apache-2.0
// Tests a command player that is connected to an ONFI target at the pins. Each command must have the same result as a
// command sent directly to the socket of the die.
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "catch.h"
#include "nand/parameter_page.h"
#include "onfi_bench.h"

namespace nandscape {
namespace {

using namespace rtl::onfi;
using enum NandOperation;
using Sent = OnfiBench::Sent;

constexpr Tick us = microsecond;

PlayerSettings settings_of(Interface interface, std::uint8_t mode, bool poll = false) {
  return {.timing = {interface, mode}, .spare = {.parity_bytes = 32}, .poll_status = poll};
}

// The results of all commands of a session, for comparison with another session.
struct Outcome {
  std::vector<std::vector<std::byte>> data;
  std::vector<NandStatus> statuses;
  std::vector<std::array<std::uint8_t, 4>> features;

  void add(const Sent& sent) {
    data.push_back(sent.data);
    statuses.push_back(sent.command.status);
    features.push_back(sent.command.feature_value);
  }
};

void compare(const Outcome& found, const Outcome& expected) {
  REQUIRE(found.statuses.size() == expected.statuses.size());
  for (std::size_t k = 0; k < expected.statuses.size(); ++k) {
    CAPTURE(k);
    CHECK(found.statuses[k] == expected.statuses[k]);
    CHECK(found.features[k] == expected.features[k]);
    CHECK((found.data[k] == expected.data[k]));
  }
}

// Runs a fixed session of commands: programs and reads on one plane and on both planes, copyback, features, a failing
// program, and an erase.
Outcome session(OnfiBench& b) {
  Outcome outcome;
  const auto execute = [&](Sent& sent) { outcome.add(b.execute(sent)); };
  const auto execute_both = [&](Sent& first, Sent& second) {
    first.command.more_planes = true;
    first.next = &second;
    b.execute(first);
    outcome.add(first);
    outcome.add(second);
  };
  for (std::uint32_t page = 0; page < 3; ++page) execute(b.make_program(0, 1, page, true));
  execute(b.make(read, 0, 1, 1));
  Sent& part = b.make(read, 0, 1, 2);
  part.data.assign(544, std::byte{});
  execute(part);
  execute_both(b.make_program(0, 2, 0, true), b.make_program(1, 3, 0, true));
  execute_both(b.make(read, 0, 2, 0), b.make(read, 1, 3, 0));
  execute(b.make(copyback_read, 0, 1, 2));
  execute(b.make(copyback_program, 0, 3, 0));
  execute(b.make(read, 0, 3, 0));
  execute(b.make_moving(copyback_read, 0, 1, 1));
  Sent& patched = b.make_moving(copyback_program, 0, 3, 1);
  std::fill(patched.data.begin(), patched.data.end(), std::byte{0x3c});
  execute(patched);
  execute(b.make(read, 0, 3, 1));
  Sent& set = b.make(set_feature);
  set.command.feature = 0xd2;
  set.command.feature_value = {0x12, 0xff, 0, 0};
  execute(set);
  Sent& get = b.make(get_feature);
  get.command.feature = 0xd2;
  execute(get);
  b.die->die().faults().fail_next(program, 1);
  execute(b.make_program(1, 4, 0, true));
  execute_both(b.make(erase, 0, 1), b.make(erase, 1, 3));
  execute(b.make(read, 0, 1, 1));
  execute(b.make(erase, 0, 2));
  execute(b.make(read, 0, 2, 0));
  return outcome;
}

TEST_CASE("a session at the pins gives the bytes and statuses of the die's own socket") {
  OnfiBench on_socket(Way::socket);
  const Outcome expected = session(on_socket);
  REQUIRE(std::count(expected.statuses.begin(), expected.statuses.end(), NandStatus::fail) == 1);
  const auto mode = static_cast<std::uint8_t>(GENERATE(0, 1, 2, 3, 4, 5));
  const Interface interface = GENERATE(Interface::sdr, Interface::nv_ddr);
  OnfiBench at_pins(Way::pins, settings_of(interface, mode));
  compare(session(at_pins), expected);
  CHECK(at_pins.device->timing_mode() == TimingMode{interface, mode});
  for (const Violation& violation : at_pins.device->violations().list()) FAIL_CHECK(violation.text);
}

TEST_CASE("the parameter page at the pins is the die's, with the capabilities of the pins") {
  OnfiBench on_socket(Way::socket);
  const Sent& of_die = on_socket.execute(on_socket.make(read_parameter_page));
  OnfiBench at_pins(Way::pins, settings_of(GENERATE(Interface::sdr, Interface::nv_ddr), 2, GENERATE(false, true)));
  const Sent& sent = at_pins.execute(at_pins.make(read_parameter_page));
  nand::ParameterPage expected, found;
  std::memcpy(&expected, of_die.data.data(), sizeof expected);
  std::memcpy(&found, sent.data.data(), sizeof found);
  CHECK(found.sdr_modes == 0x3f);
  CHECK(found.nv_ddr_modes == 0x3f);
  CHECK(found.t_ccs_ns == 500);
  CHECK(found.features == (expected.features | 1u << 5));
  CHECK(found.optional_commands == 0x1f);
  CHECK(found.crc == nand::parameter_page_crc(found));
  // All other fields must be equal, in every copy of the parameter page.
  found.sdr_modes = found.t_ccs_ns = found.nv_ddr_modes = 0;
  found.features = expected.features;
  found.optional_commands = expected.optional_commands;
  found.crc = expected.crc;
  CHECK(std::memcmp(&found, &expected, sizeof found) == 0);
  CHECK(std::equal(sent.data.begin(), sent.data.begin() + 256, sent.data.begin() + 512));
  Sent& part = at_pins.make(read_parameter_page);
  part.command.first_byte = 256;
  part.command.bytes = 4;
  at_pins.execute(part);
  CHECK(std::memcmp(part.data.data() + 256, "ONFI", 4) == 0);
  for (const Violation& violation : at_pins.device->violations().list()) FAIL_CHECK(violation.text);
}

// Draws random operations that the die accepts. In particular, the pages of each block are programmed in order.
class RandomSession {
 public:
  explicit RandomSession(std::uint32_t seed) : random_(seed) {}

  Outcome run(OnfiBench& b, int operations) {
    Outcome outcome;
    for (int k = 0; k < operations; ++k) {
      const std::vector<Sent*> sent = draw(b);
      for (std::size_t plane = 0; plane + 1 < sent.size(); ++plane) {
        sent[plane]->command.more_planes = true;
        sent[plane]->next = sent[plane + 1];
      }
      b.execute(*sent.front());
      for (Sent* each : sent) {
        forget_what_was_not_read(*each);
        outcome.add(*each);
      }
    }
    return outcome;
  }

 private:
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

  // Draws one operation, on one plane or on both planes.
  std::vector<Sent*> draw(OnfiBench& b) {
    const std::uint32_t kind = below(10), first = below(2), last = below(3) == 0 ? 1 : first;
    std::vector<Sent*> sent;
    if (kind == 0) b.die->die().faults().fail_next(program, 1);
    for (std::uint32_t plane = first; plane <= last; ++plane) {
      const std::uint32_t block = below(5);
      std::uint32_t& programmed = programmed_[plane][block];
      if (kind < 5 && programmed < 12) {
        sent.push_back(&b.make_program(plane, block, programmed++, true));
        sent.back()->data[below(544)] = static_cast<std::byte>(below(256));
      } else if (kind < 6) {
        programmed = 0;
        sent.push_back(&b.make(erase, plane, block));
      } else if (kind == 6 && programmed != 0 && programmed < 12) {
        b.execute(b.make(copyback_read, plane, block, below(programmed)));
        sent.push_back(&b.make(copyback_program, plane, block, programmed++));
      } else {
        sent.push_back(&b.make(read, plane, block, below(12)));
        NandCommand& c = sent.back()->command;
        c.first_byte = 2 * below(200);
        c.bytes = 2 * (1 + below((512 - c.first_byte) / 2));
      }
      // All planes of a multi-plane operation must have the same kind of operation, and copyback uses one plane.
      if (sent.front()->command.operation != sent.back()->command.operation || kind == 6) {
        if (sent.size() == 1) break;
        if (sent.back()->command.operation == program) --programmed;
        const bool erased = sent.back()->command.operation == erase;
        sent.pop_back();
        if (erased) b.execute(b.make(erase, plane, block));
      }
    }
    return sent;
  }

  // Clears the bytes that the command did not request. On a read, the die's socket returns the whole page, but the pins
  // transfer only the requested bytes and the spare bytes.
  static void forget_what_was_not_read(Sent& sent) {
    const NandCommand& c = sent.command;
    if (c.operation != read) return;
    std::fill(sent.data.begin(), sent.data.begin() + c.first_byte, std::byte{});
    std::fill(sent.data.begin() + c.first_byte + c.bytes, sent.data.begin() + 512, std::byte{});
  }

  std::minstd_rand random_;
  std::uint32_t programmed_[2][5] = {};
};

TEST_CASE("random sessions give the same results at the pins as on the socket") {
  const auto seed = static_cast<std::uint32_t>(GENERATE(range(1, 13)));
  CAPTURE(seed);
  OnfiBench on_socket(Way::socket);
  const Outcome expected = RandomSession(seed).run(on_socket, 60);
  OnfiBench at_pins(Way::pins, settings_of(seed % 2 == 0 ? Interface::sdr : Interface::nv_ddr,
                                           static_cast<std::uint8_t>(seed % 6), seed % 3 == 0));
  compare(RandomSession(seed).run(at_pins, 60), expected);
  for (const Violation& violation : at_pins.device->violations().list()) FAIL_CHECK(violation.text);
}

TEST_CASE("READ STATUS can replace R/B_n") {
  OnfiBench on_socket(Way::socket);
  const Outcome expected = session(on_socket);
  OnfiBench at_pins(Way::pins, settings_of(GENERATE(Interface::sdr, Interface::nv_ddr), 3, true));
  compare(session(at_pins), expected);
  for (const Violation& violation : at_pins.device->violations().list()) FAIL_CHECK(violation.text);
}

}  // namespace
}  // namespace nandscape
