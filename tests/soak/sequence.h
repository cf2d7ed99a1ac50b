// SPDX-License-Identifier: Apache-2.0
// What an episode does: the settings of a drive, and operations on it. As text it is a file that can be kept, edited
// and played again:
//
//   controller.cache.policy=write_back
//   ---
//   write 12 8 forced
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
  forced_write,  // likewise
  read,          // likewise
  trim,          // likewise
  flush,
  wait,              // for all commands that are under way
  run,               // a: nanoseconds of simulated time
  reset,             // of the NVMe controller
  power_cut,         // and back on; a: hours between
  shut_down,         // likewise
  checkpoint,        // and a second drive, restored from it, goes on beside the first
  advance,           // a: hours, with power
  fail_programs,     // a: die, b: how many
  fail_erases,       // likewise
  fail_adjustments,  // likewise
  fail_block,        // a: block
  kill_die,          // a: die
};

struct Operation {
  Kind kind = Kind::wait;
  // Beyond what the drive has, they are taken modulo that, so that operations stay what they are on a smaller drive.
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  friend bool operator==(const Operation&, const Operation&) = default;
};

std::string text_of(const Operation& operation);
std::string_view name_of(Kind kind);
// How many of its numbers an operation takes.
unsigned arguments_of(Kind kind);

struct Sequence {
  std::vector<std::string> settings;  // "key=value", beside those of every drive (base_settings())
  std::vector<Operation> operations;

  std::string text() const;
};

// Throws std::runtime_error naming the line that is wrong.
Sequence parse_sequence(std::istream& text);

}  // namespace nandscape::soak
