// SPDX-License-Identifier: Apache-2.0
#include "sequence.h"

#include <array>
#include <istream>
#include <sstream>
#include <stdexcept>

namespace nandscape::soak {

namespace {

struct KindName {
  std::string_view name;
  unsigned arguments;
};
// In the order of the enumeration.
constexpr std::array<KindName, 17> names = {{{"write", 2},
                                             {"forced_write", 2},
                                             {"read", 2},
                                             {"trim", 2},
                                             {"flush", 0},
                                             {"wait", 0},
                                             {"run", 1},
                                             {"reset", 0},
                                             {"power_cut", 1},
                                             {"shut_down", 1},
                                             {"checkpoint", 0},
                                             {"advance", 1},
                                             {"fail_programs", 2},
                                             {"fail_erases", 2},
                                             {"fail_adjustments", 2},
                                             {"fail_block", 1},
                                             {"kill_die", 1}}};

Operation parse_operation(const std::string& line) {
  std::istringstream words(line);
  std::string name;
  words >> name;
  for (std::size_t kind = 0; kind < names.size(); ++kind) {
    if (names[kind].name != name) continue;
    Operation operation{static_cast<Kind>(kind)};
    if (names[kind].arguments > 0) words >> operation.a;
    if (names[kind].arguments > 1) words >> operation.b;
    std::string rest;
    if (words.fail() || words >> rest) break;
    return operation;
  }
  throw std::runtime_error("'" + line + "' is not an operation");
}

}  // namespace

std::string_view name_of(Kind kind) { return names[static_cast<std::size_t>(kind)].name; }
unsigned arguments_of(Kind kind) { return names[static_cast<std::size_t>(kind)].arguments; }

std::string text_of(const Operation& o) {
  std::string text(name_of(o.kind));
  if (arguments_of(o.kind) > 0) text.append(" ").append(std::to_string(o.a));
  if (arguments_of(o.kind) > 1) text.append(" ").append(std::to_string(o.b));
  return text;
}

std::string Sequence::text() const {
  std::string text;
  for (const std::string& setting : settings) text += setting + "\n";
  text += "---\n";
  for (const Operation& operation : operations) text += text_of(operation) + "\n";
  return text;
}

Sequence parse_sequence(std::istream& text) {
  Sequence sequence;
  bool settings = true;
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line.front() == '#') continue;
    if (line == "---") {
      settings = false;
    } else if (settings) {
      if (line.find('=') == std::string::npos) throw std::runtime_error("'" + line + "' is not a setting KEY=VALUE");
      sequence.settings.push_back(line);
    } else {
      sequence.operations.push_back(parse_operation(line));
    }
  }
  return sequence;
}

}  // namespace nandscape::soak
