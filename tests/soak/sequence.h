// SPDX-License-Identifier: Apache-2.0
// A test sequence: the settings of a drive, and the operations on it. As text, a sequence can be stored in a file,
// edited and played again. For example:
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
  write,         // a: first sector, b: number of sectors
  forced_write,  // a: first sector, b: number of sectors
  read,          // a: first sector, b: number of sectors
  trim,          // a: first sector, b: number of sectors
  flush,
  wait,              // waits for all outstanding commands
  run,               // a: nanoseconds of simulated time
  reset,             // resets the NVMe controller
  power_cut,         // cuts the power and turns it on again; a: hours without power
  shut_down,         // shuts the drive down and turns the power on again; a: hours without power
  checkpoint,        // saves a checkpoint; a second drive is restored from it and runs in parallel with the first
  advance,           // a: hours to advance, with power
  fail_programs,     // a: die, b: number of programs that fail
  fail_erases,       // a: die, b: number of erases that fail
  fail_adjustments,  // a: die, b: number of adjustments that fail
  fail_block,        // a: block
  kill_die,          // a: die
};

struct Operation {
  Kind kind = Kind::wait;
  // Sectors, dies and blocks are taken modulo their numbers in the drive, so that the operation is also valid on a
  // smaller drive.
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  friend bool operator==(const Operation&, const Operation&) = default;
};

std::string text_of(const Operation& operation);
std::string_view name_of(Kind kind);
// Returns how many of the numbers `a` and `b` the operation uses.
unsigned arguments_of(Kind kind);

struct Sequence {
  std::vector<std::string> settings;  // "key=value", in addition to base_settings()
  std::vector<Operation> operations;

  std::string text() const;
};

// Throws std::runtime_error if a line is invalid; the message names this line.
Sequence parse_sequence(std::istream& text);

}  // namespace nandscape::soak
