// SPDX-License-Identifier: Apache-2.0
// Writes waves to a file in the format Value Change Dump (VCD) [IEEE 1800-2017, 21.7]. Times are in ticks, which are
// picoseconds. GTKWave, Surfer and all RTL simulators can read this format.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "core/ticks.h"

namespace nandscape::rtl {

class VcdFile {
 public:
  // The signals are shown in a module named `scope`. Throws InputError if the file cannot be written.
  VcdFile(const std::string& path, const std::string& scope);
  ~VcdFile();
  VcdFile(const VcdFile&) = delete;
  VcdFile& operator=(const VcdFile&) = delete;

  // Adds a signal and returns its number. All signals must be added before the first change.
  std::size_t add(const std::string& name, unsigned int bits);
  // Records that the signal has the value `value` from time `at` on. Times must not decrease. If the value has not
  // changed, nothing is written.
  void change(Tick at, std::size_t signal, std::uint64_t value);

 private:
  struct Signal {
    unsigned int bits;
    std::string code;  // identifier of the signal in the file
    std::uint64_t value = 0;
    bool known = false;
  };

  void end_declarations();

  std::ofstream file_;
  std::vector<Signal> signals_;
  bool declared_ = false;  // the declarations have ended
  Tick at_ = never;
};

}  // namespace nandscape::rtl
