// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/frontiers.h"

#include "controller/writing/layer_frontier.h"
#include "controller/writing/plain_frontier.h"
#include "controller/writing/stripe_frontier.h"

namespace nandscape {

std::unique_ptr<WriteFrontier> make_frontier(const WriteStreams& streams, const FullpagePattern* fullpages, FlashIo& io,
                                             PagePool& pages, BlockTable& blocks, BlockPins& pins, Calendar& calendar) {
  if (io.layout().has_parity()) {
    return std::make_unique<StripeFrontier>(io, pages, blocks, pins, calendar, streams.count, streams.reserve,
                                            streams.lasting);
  }
  if (io.layout().over_layers()) {
    constexpr std::uint8_t ordinary_stream = 0;
    return std::make_unique<LayerFrontier>(io, blocks, streams.count, *fullpages, streams.fullpages, ordinary_stream);
  }
  return std::make_unique<PlainFrontier>(io, blocks, streams.count);
}

}  // namespace nandscape
