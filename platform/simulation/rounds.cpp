// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/rounds.h"

#include <utility>

namespace nandscape {

void Rounds::add(Moment at) {
  const Tick now = at.at;
  boundaries_.push_back(std::move(at));
  if (boundaries_.size() == most_rounds + 1) {
    std::vector<Moment> kept;
    kept.reserve(most_rounds + 1);
    for (std::size_t k = 0; k < boundaries_.size(); k += 2) kept.push_back(std::move(boundaries_[k]));
    boundaries_ = std::move(kept);
    length_ *= 2;
  }
  const Tick elapsed = now - boundaries_.front().at;
  next_ = boundaries_.front().at + (elapsed / length_ + 1) * length_;
}

}  // namespace nandscape
