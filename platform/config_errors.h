// SPDX-License-Identifier: Apache-2.0
// Everything that is wrong with a configuration, told at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace nandscape {

class ConfigErrors {
 public:
  // The same finding is told once.
  void add(SourceLocation where, std::string path, std::string what) {
    for (const Finding& known : findings_) {
      if (known.path == path && known.what == what) return;
    }
    findings_.push_back({std::move(where), std::move(path), std::move(what)});
  }

  // One ConfigError with a line for each finding, in the order in which they were added; its path is that of the first.
  void throw_if_any() const {
    if (findings_.empty()) return;
    const Finding& first = findings_.front();
    std::string what = first.what;
    for (std::size_t k = 1; k < findings_.size(); ++k) {
      what += '\n';
      what += ConfigError(findings_[k].where, findings_[k].path, findings_[k].what).what();
    }
    throw ConfigError(first.where, first.path, what);
  }

 private:
  struct Finding {
    SourceLocation where;
    std::string path;
    std::string what;
  };
  std::vector<Finding> findings_;
};

}  // namespace nandscape
