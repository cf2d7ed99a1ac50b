// SPDX-License-Identifier: Apache-2.0
// Collects the errors of a configuration and reports them in one ConfigError. Its message contains the first ten
// errors, and the number of the remaining errors.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace nandscape {

class ConfigErrors {
 public:
  // Returns whether the largest number of reported findings is reached. Later findings are only counted, so the caller
  // does not need to compute their text.
  bool full() const { return findings_.size() == most_told; }

  bool empty() const { return findings_.empty(); }

  // Adds an error. If the same error is added repeatedly, it is reported once.
  void add(SourceLocation where, std::string path, std::string what) {
    if (full()) {
      ++more_;
      return;
    }
    for (const Finding& known : findings_) {
      if (known.path == path && known.what == what) return;
    }
    findings_.push_back({std::move(where), std::move(path), std::move(what)});
  }

  // Throws one ConfigError with a line for each finding, in the order of the calls of add(). The path of the error is
  // the path of the first finding. Does nothing if there are no findings.
  void throw_if_any() const {
    if (findings_.empty()) return;
    const Finding& first = findings_.front();
    std::string what = first.what;
    for (std::size_t k = 1; k < findings_.size(); ++k) {
      what += '\n';
      what += ConfigError(findings_[k].where, findings_[k].path, findings_[k].what).what();
    }
    if (more_ > 0) what += "\nand " + std::to_string(more_) + " more";
    throw ConfigError(first.where, first.path, what);
  }

 private:
  static constexpr std::size_t most_told = 10;

  struct Finding {
    SourceLocation where;
    std::string path;
    std::string what;
  };
  std::vector<Finding> findings_;
  std::size_t more_ = 0;
};

}  // namespace nandscape
