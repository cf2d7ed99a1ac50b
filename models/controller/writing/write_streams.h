// SPDX-License-Identifier: Apache-2.0
// The streams of writes, each of which has a block open on each plane: those that the policy tells apart, then, behind
// them, what the controller keeps apart itself.
#pragma once

#include <cstdint>

namespace nandscape::controller {

struct WriteStreams {
  // Where what makes room is written when there is hardly a block left: the only stream that may use the reserve. With
  // parity, pages of the host and of collection never wait for each other to complete a row, so that collection, which
  // the host waits for, has a stream of its own, behind those of the host.
  std::uint8_t reserve = 0;
  std::uint8_t lasting = 0;   // what is kept from decay, and so lives longest
  std::uint8_t mapping = 0;   // translation pages
  std::uint8_t gathered = 0;  // units that were gathered to be written together
  std::uint8_t count = 0;     // without the last one, where nothing is gathered
};

}  // namespace nandscape::controller
