// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/operation_names.h"

#include <cctype>
#include <utility>

#include "core/error.h"
#include "core/message_text.h"
#include "host/workloads/trace/columns.h"

namespace nandscape::host {
namespace {

struct Operation {
  std::string OperationWords::*words;
  std::optional<RequestKind> kind;  // none: it is passed over
};
constexpr Operation operations[] = {
    {&OperationWords::read, RequestKind::read},
    {&OperationWords::write, RequestKind::write},
    {&OperationWords::flush, RequestKind::flush},
    {&OperationWords::trim, RequestKind::trim},
    {&OperationWords::write_zeroes, RequestKind::write_zeroes},
    {&OperationWords::ignored, std::nullopt},
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    std::string& lower = words.emplace_back(word);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return words;
}

}  // namespace

void describe(OperationWords& w, ParameterVisitor& v) {
  v.text("read", w.read, "words that mean a read, with blanks between them; empty: the format's own");
  v.text("write", w.write, "words that mean a write");
  v.text("flush", w.flush, "words that mean a flush");
  v.text("trim", w.trim, "words that mean a trim");
  v.text("write_zeroes", w.write_zeroes, "words that mean a write of zeroes without data");
  v.text("ignored", w.ignored, "words of lines that are passed over");
}

OperationNames::OperationNames(const OperationWords& given, const OperationWords& usual) {
  for (const Operation& operation : operations) add(given.*operation.words, operation.kind);
  for (std::size_t k = 0; k < names_.size(); ++k) {
    for (std::size_t other = k + 1; other < names_.size(); ++other) {
      if (names_[k].word == names_[other].word && names_[k].kind != names_[other].kind) {
        throw ConfigError({}, "operations",
                          quotation(names_[k].word) + " is given for two operations; leave it with one of them");
      }
    }
  }
  // They come after the given ones, so that a word can move to another operation.
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

void OperationNames::add(const std::string& words, std::optional<RequestKind> kind) {
  for (std::string& word : words_of(words)) names_.push_back({std::move(word), kind});
}

}  // namespace nandscape::host
