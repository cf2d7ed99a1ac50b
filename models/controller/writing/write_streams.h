// SPDX-License-Identifier: Apache-2.0
// Numbers of the streams of writes. Each stream has a block open on each plane. The streams that the stream policy
// tells apart come first; behind them are the controller's own streams.
#pragma once

#include <cstdint>

namespace nandscape::controller {

struct WriteStreams {
  // Takes moved pages when hardly a block is left: the only stream that may use the reserved blocks. With parity, pages
  // of the host and of collection must not wait for each other to complete a row. Collection, which the host waits for,
  // then has its own stream behind those of the host.
  std::uint8_t reserve = 0;
  std::uint8_t lasting = 0;   // data moved to keep them from decay, which live longest
  std::uint8_t mapping = 0;   // translation pages
  std::uint8_t gathered = 0;  // units that were gathered to be written together
  std::uint8_t count = 0;     // number of streams; `gathered` counts only if units are gathered
};

}  // namespace nandscape::controller
