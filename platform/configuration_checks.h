// SPDX-License-Identifier: Apache-2.0
// Checks that look at several parameters at once, after each of them has been read.
#pragma once

#include <string>

#include "core/value.h"
#include "platform/config_errors.h"
#include "platform/parameters.h"

namespace nandscape {

// Where the key at `path` of a tree was given; where it was left to its default, the innermost group around it that was
// given.
SourceLocation source_of(const Value& tree, const std::string& path);

// What the checks find, each at the key that is at fault.
class Contradictions {
 public:
  explicit Contradictions(const Value& tree) : tree_(tree) {}
  void add(const std::string& path, const std::string& what) { errors_.add(source_of(tree_, path), path, what); }
  void throw_if_any() const { errors_.throw_if_any(); }

 private:
  const Value& tree_;
  ConfigErrors errors_;
};

// Runs every check on what was read from `tree`. Throws one ConfigError that tells all that they found.
void check_configuration(const PlatformParameters& parameters, const Value& tree);

}  // namespace nandscape
