// SPDX-License-Identifier: Apache-2.0
// The words that stand for the operations in a text trace. Each format has its usual words, and a user may configure
// other words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "host/workloads/workload.h"

namespace nandscape::host {

// The words that stand for each operation.
struct OperationWords {
  using Words = std::vector<std::string>;
  Words read;
  Words write;
  Words flush;
  Words trim;
  Words write_zeroes;
  Words ignored;  // words of records that are not requests
};

void describe(OperationWords& words, ParameterVisitor& visitor);

class OperationNames {
 public:
  // The words `given` for an operation replace its `usual` words. Throws ConfigError if a word is given for two
  // operations, is empty, or contains a blank.
  OperationNames(const OperationWords& given, const OperationWords& usual);

  // Returns the operation that `word` stands for, without regard to case. Returns nullopt if the record must be
  // ignored. Throws MalformedRecord if the word is unknown.
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
