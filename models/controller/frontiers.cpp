// SPDX-License-Identifier: Apache-2.0
#include "controller/frontiers.h"

#include "controller/parity/stripe_frontier.h"
#include "controller/writing/plain_frontier.h"

namespace nandscape::controller {

FrontierFactory frontier_of(const FlashLayout& layout, const FullpageEngines* fullpages) {
  if (layout.has_parity()) {
    return [](const FrontierContext& c) -> std::unique_ptr<WriteFrontier> {
      return std::make_unique<StripeFrontier>(c.io, c.pages, c.blocks, c.pins, c.calendar, c.streams.count,
                                              c.streams.reserve, c.streams.lasting);
    };
  }
  if (fullpages != nullptr) return [fullpages](const FrontierContext& c) { return fullpages->make_frontier(c); };
  return [](const FrontierContext& c) -> std::unique_ptr<WriteFrontier> {
    return std::make_unique<PlainFrontier>(c.io, c.blocks, c.streams);
  };
}

}  // namespace nandscape::controller
