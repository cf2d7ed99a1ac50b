// SPDX-License-Identifier: Apache-2.0
// Words of a text trace for the operations. Each format has its usual words; a user may give others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "host/workloads/workload.h"

namespace nandscape::host {

// The words for each operation.
struct OperationWords {
  using Words = std::vector<std::string>;
  Words read;
  Words write;
  Words flush;
  Words trim;
  Words write_zeroes;
  Words ignored;  // words of lines that are not requests
};

void describe(OperationWords& words, ParameterVisitor& visitor);

class OperationNames {
 public:
  // Words given for an operation replace its usual words. Throws ConfigError if a word is given for two operations, is
  // empty, or contains a blank.
  OperationNames(const OperationWords& given, const OperationWords& usual);

  // Returns the operation of a word, without regard to case, or nullopt for a word to ignore. Throws MalformedRecord on
  // an unknown word.
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
