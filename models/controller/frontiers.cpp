// SPDX-License-Identifier: Apache-2.0
#include "controller/frontiers.h"

#include "controller/parity/stripe_frontier.h"
#include "controller/writing/plain_frontier.h"

namespace nandscape::controller {

FrontierFactory frontier_of(const FlashLayout& layout, const FullpageEngines* fullpages) {
  using Frontier = std::unique_ptr<WriteFrontier>;
  if (layout.has_parity()) return [](WritingState& w) -> Frontier { return std::make_unique<StripeFrontier>(w); };
  if (fullpages != nullptr) return [fullpages](WritingState& w) { return fullpages->make_frontier(w); };
  return [](WritingState& w) -> Frontier { return std::make_unique<PlainFrontier>(w); };
}

}  // namespace nandscape::controller
