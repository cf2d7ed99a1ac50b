// SPDX-License-Identifier: Apache-2.0
// A file of waves as a Value Change Dump [IEEE 1800-2017, 21.7], with times in ticks, which are picoseconds. GTKWave,
// Surfer and all simulators of RTL read it.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "core/ticks.h"

namespace nandscape::rtl {

class VcdFile {
 public:
  // Signals are shown below a module of the name `scope`. Throws InputError when the file cannot be written.
  VcdFile(const std::string& path, const std::string& scope);
  ~VcdFile();
  VcdFile(const VcdFile&) = delete;
  VcdFile& operator=(const VcdFile&) = delete;

  // Returns the number of the signal. All come before the first change.
  std::size_t add(const std::string& name, unsigned int bits);
  // From `at` on, which never goes back, the signal has that value. Nothing is written for one that has it already.
  void change(Tick at, std::size_t signal, std::uint64_t value);

 private:
  struct Signal {
    unsigned int bits;
    std::string code;  // by which changes name it
    std::uint64_t value = 0;
    bool known = false;
  };

  void end_declarations();

  std::ofstream file_;
  std::vector<Signal> signals_;
  bool declared_ = false;  // all signals are
  Tick at_ = never;
};

}  // namespace nandscape::rtl
