// SPDX-License-Identifier: Apache-2.0
#include "rtl/waves/vcd_file.h"

#include <cassert>

#include "core/error.h"

namespace nandscape::rtl {

namespace {

// Returns the identifier code for a signal number, which consists of printable characters with the lowest digit first.
std::string code_of(std::size_t number) {
  constexpr char first = '!', last = '~';
  constexpr std::size_t digits = last - first + 1;
  std::string code;
  do {
    code += static_cast<char>(first + number % digits);
    number /= digits;
  } while (number != 0);
  return code;
}

}  // namespace

VcdFile::VcdFile(const std::string& path, const std::string& scope) : file_(path) {
  if (!file_) throw InputError({path}, "cannot write the file of waves; choose a path in an existing folder");
  file_ << "$timescale 1 ps $end\n$scope module " << scope << " $end\n";
}

VcdFile::~VcdFile() { end_declarations(); }

void VcdFile::end_declarations() {
  if (!declared_) file_ << "$upscope $end\n$enddefinitions $end\n";
  declared_ = true;
}

std::size_t VcdFile::add(const std::string& name, unsigned int bits) {
  assert(!declared_);
  const std::size_t number = signals_.size();
  signals_.push_back({bits, code_of(number)});
  file_ << "$var wire " << bits << ' ' << signals_.back().code << ' ' << name << " $end\n";
  return number;
}

void VcdFile::change(Tick at, std::size_t number, std::uint64_t value) {
  Signal& signal = signals_[number];
  if (signal.known && signal.value == value) return;
  end_declarations();
  if (at != at_) file_ << '#' << at << '\n';
  at_ = at;
  signal.value = value;
  signal.known = true;
  if (signal.bits == 1) {
    file_ << (value & 1) << signal.code << '\n';
    return;
  }
  file_ << 'b';
  for (unsigned int bit = signal.bits; bit-- != 0;) file_ << (value >> bit & 1);
  file_ << ' ' << signal.code << '\n';
}

}  // namespace nandscape::rtl
