// SPDX-License-Identifier: Apache-2.0
#include "controller/frontiers.h"

#include "controller/parity/stripe_frontier.h"
#include "controller/writing/plain_frontier.h"
#include "controller/writing/superblock_frontier.h"

namespace nandscape::controller {

FrontierFactory frontier_of(const FlashLayout& layout, const FullpageEngines* fullpages, Tick superpage_wait) {
  using Frontier = std::unique_ptr<WriteFrontier>;
  if (layout.has_parity()) {
    return [=](WritingState& w) -> Frontier { return std::make_unique<StripeFrontier>(w, superpage_wait); };
  }
  if (layout.spans_planes()) {
    return [=](WritingState& w) -> Frontier { return std::make_unique<SuperblockFrontier>(w, superpage_wait); };
  }
  if (fullpages != nullptr) return [fullpages](WritingState& w) { return fullpages->make_frontier(w); };
  return [](WritingState& w) -> Frontier { return std::make_unique<PlainFrontier>(w); };
}

}  // namespace nandscape::controller
