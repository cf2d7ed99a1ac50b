// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/operation_names.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/message_text.h"
#include "host/workloads/trace/columns.h"

namespace nandscape::host {
namespace {

struct Operation {
  OperationWords::Words OperationWords::*words;
  std::optional<RequestKind> kind;  // nullopt: the record is skipped
};
constexpr Operation operations[] = {
    {&OperationWords::read, RequestKind::read},
    {&OperationWords::write, RequestKind::write},
    {&OperationWords::flush, RequestKind::flush},
    {&OperationWords::trim, RequestKind::trim},
    {&OperationWords::write_zeroes, RequestKind::write_zeroes},
    {&OperationWords::ignored, std::nullopt},
};

// Formats words that are separated by blanks as a list, for example "[r, read]" for "r read".
std::string as_list(std::string_view text) {
  std::string list;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    list += (list.empty() ? "" : ", ") + std::string(word);
  }
  return "[" + list + "]";
}

void require_single_words(const OperationWords::Words& words) {
  for (const std::string& word : words) {
    if (word.empty()) throw ConfigError({}, "operations", "holds an empty word; leave it out");
    if (word.find_first_of(" \t") == std::string::npos) continue;
    throw ConfigError({}, "operations",
                      quotation(word) + " is more than one word; write a list of words, " + as_list(word));
  }
}

}  // namespace

void describe(OperationWords& w, ParameterVisitor& v) {
  v.texts("read", w.read, "words that mean a read; empty: the format's own");
  v.texts("write", w.write, "words that mean a write");
  v.texts("flush", w.flush, "words that mean a flush");
  v.texts("trim", w.trim, "words that mean a trim");
  v.texts("write_zeroes", w.write_zeroes, "words that mean a write of zeroes without data");
  v.texts("ignored", w.ignored, "words of lines to skip");
}

OperationNames::OperationNames(const OperationWords& given, const OperationWords& usual) {
  for (const Operation& operation : operations) {
    require_single_words(given.*operation.words);
    add(given.*operation.words, operation.kind);
  }
  for (std::size_t k = 0; k < names_.size(); ++k) {
    for (std::size_t other = k + 1; other < names_.size(); ++other) {
      if (names_[k].word == names_[other].word && names_[k].kind != names_[other].kind) {
        throw ConfigError({}, "operations",
                          quotation(names_[k].word) + " is given for two operations; leave it with one of them");
      }
    }
  }
  // The usual words are added last, so that the user can assign a usual word to another operation.
  for (const Operation& operation : operations) {
    if ((given.*operation.words).empty()) add(usual.*operation.words, operation.kind);
  }
}

std::optional<RequestKind> OperationNames::find(std::string_view word) const {
  if (word.empty()) throw_missing("operation");
  for (const Name& name : names_) {
    if (equals_ignoring_case(word, name.word)) return name.kind;
  }
  std::string known;
  for (const Name& name : names_) known += (known.empty() ? "" : ", ") + name.word;
  throw_unreadable(word, "operation (" + known + ")");
}

void OperationNames::add(const OperationWords::Words& words, std::optional<RequestKind> kind) {
  for (std::string word : words) {
    std::ranges::transform(word, word.begin(), in_lower_case);
    names_.push_back({std::move(word), kind});
  }
}

}  // namespace nandscape::host
