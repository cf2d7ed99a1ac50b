// SPDX-License-Identifier: Apache-2.0
#include "minimise.h"

#include <algorithm>
#include <utility>

namespace nandscape::soak {

namespace {

class Minimiser {
 public:
  Minimiser(Sequence sequence, const std::function<bool(const Sequence&)>& fails, unsigned most_trials)
      : best_(std::move(sequence)), fails_(fails), trials_left_(most_trials) {}

  Sequence run() {
    while (trials_left_ > 0) {
      const Sequence before = best_;
      fewer_operations();
      fewer_settings();
      smaller_numbers();
      if (best_.operations == before.operations && best_.settings == before.settings) break;
    }
    return best_;
  }

 private:
  bool try_one(Sequence candidate) {
    if (trials_left_ == 0) return false;
    --trials_left_;
    if (!fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  // Removes pieces of the sequence, which become smaller and smaller.
  void fewer_operations() {
    for (std::size_t piece = std::max<std::size_t>(best_.operations.size() / 2, 1); piece > 0; piece /= 2) {
      // Begins at the end of the sequence, so that the operations after the failure are removed first.
      for (std::size_t end = best_.operations.size(); end > 0;) {
        const std::size_t begin = end - std::min(piece, end);
        Sequence candidate = best_;
        candidate.operations.erase(candidate.operations.begin() + static_cast<std::ptrdiff_t>(begin),
                                   candidate.operations.begin() + static_cast<std::ptrdiff_t>(end));
        try_one(std::move(candidate));
        end = begin;
      }
    }
  }

  void fewer_settings() {
    for (std::size_t k = best_.settings.size(); k-- > 0;) {
      Sequence candidate = best_;
      candidate.settings.erase(candidate.settings.begin() + static_cast<std::ptrdiff_t>(k));
      try_one(std::move(candidate));
    }
  }

  void smaller_numbers() {
    for (std::size_t k = 0; k < best_.operations.size(); ++k) {
      for (std::uint64_t Operation::*number : {&Operation::a, &Operation::b}) {
        for (const std::uint64_t divisor : {~std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{2}}) {
          Sequence candidate = best_;
          std::uint64_t& value = candidate.operations[k].*number;
          if (value == 0) continue;
          value /= divisor;
          try_one(std::move(candidate));
        }
      }
    }
  }

  Sequence best_;
  const std::function<bool(const Sequence&)>& fails_;
  unsigned trials_left_;
};

}  // namespace

Sequence minimised(Sequence sequence, const std::function<bool(const Sequence&)>& fails, unsigned most_trials) {
  return Minimiser(std::move(sequence), fails, most_trials).run();
}

}  // namespace nandscape::soak
