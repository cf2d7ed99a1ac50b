// SPDX-License-Identifier: Apache-2.0
// A sequence: the settings of a drive, and operations on it. As text it is a file that can be kept, edited and played
// again:
//
//   controller.cache.policy=write_back
//   ---
//   forced_write 12 8
//   power_cut
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace nandscape::soak {

enum class Kind : std::uint8_t {
  write,         // a: first sector, b: sectors
  forced_write,  // a: first sector, b: sectors
  read,          // a: first sector, b: sectors
  trim,          // a: first sector, b: sectors
  flush,
  wait,              // waits for all outstanding commands
  run,               // a: nanoseconds of simulated time
  reset,             // resets the NVMe controller
  power_cut,         // power off and on again; a: hours without power
  shut_down,         // shutdown and power on again; a: hours without power
  checkpoint,        // saves one; a second drive is restored from it and runs beside the first
  advance,           // a: hours, with power
  fail_programs,     // a: die, b: how many
  fail_erases,       // a: die, b: how many
  fail_adjustments,  // a: die, b: how many
  fail_block,        // a: block
  kill_die,          // a: die
};

struct Operation {
  Kind kind = Kind::wait;
  // The drive takes sectors, dies and blocks modulo its own counts, so that operations are valid on a smaller drive.
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  friend bool operator==(const Operation&, const Operation&) = default;
};

std::string text_of(const Operation& operation);
std::string_view name_of(Kind kind);
// How many of `a` and `b` an operation uses.
unsigned arguments_of(Kind kind);

struct Sequence {
  std::vector<std::string> settings;  // "key=value", in addition to base_settings()
  std::vector<Operation> operations;

  std::string text() const;
};

// Throws std::runtime_error naming the wrong line.
Sequence parse_sequence(std::istream& text);

}  // namespace nandscape::soak
