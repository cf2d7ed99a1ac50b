// SPDX-License-Identifier: Apache-2.0
// Words of a text trace that say what a request is. Each format has its usual ones; a user may name others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "host/workloads/workload.h"

namespace nandscape::host {

// For each operation.
struct OperationWords {
  using Words = std::vector<std::string>;
  Words read;
  Words write;
  Words flush;
  Words trim;
  Words write_zeroes;
  Words ignored;  // lines with these hold no request
};

void describe(OperationWords& words, ParameterVisitor& visitor);

class OperationNames {
 public:
  // Words that are given take the place of the usual ones of that operation. Throws ConfigError on a word that is given
  // for two operations, and on one that no trace can hold.
  OperationNames(const OperationWords& given, const OperationWords& usual);

  // What the word means, without regard to case; nothing for one of those to be ignored. Throws MalformedRecord on any
  // other.
  std::optional<RequestKind> find(std::string_view word) const;

 private:
  struct Name {
    std::string word;  // in lower case
    std::optional<RequestKind> kind;
  };

  void add(const OperationWords::Words& words, std::optional<RequestKind> kind);

  std::vector<Name> names_;
};

}  // namespace nandscape::host
