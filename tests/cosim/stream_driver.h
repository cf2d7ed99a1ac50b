// SPDX-License-Identifier: Apache-2.0
// Sends frames through a design cycle by cycle, with pauses at random on both sides, and takes what comes out. It
// throws where the design breaks a rule of the stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/random.h"
#include "rtl/stream/clocked_stream.h"

namespace nandscape::tests {

struct Frame {
  std::vector<std::byte> bytes;
  std::uint64_t seed = 0;
};

struct FrameOut {
  std::vector<std::byte> bytes;
  bool fail = false;
  std::uint32_t corrected = 0;
  std::uint64_t first_cycle = 0;  // in which its first word moved
  std::uint64_t last_cycle = 0;   // and its last one
};

class StreamDriver {
 public:
  // `pauses_percent`: in how many cycles a side pauses though it could go on.
  StreamDriver(rtl::ClockedStream& design, RandomStream& random, std::uint32_t pauses_percent);

  void reset();

  // What comes out, one frame for each that goes in.
  std::vector<FrameOut> run(std::span<const Frame> frames);

  // Without words to send.
  void idle(std::uint32_t cycles);

  // The first words of a frame, and no more.
  void send_start(const Frame& frame, std::size_t words);

 private:
  static rtl::StreamWord word_of(const Frame& frame, std::size_t word);
  bool pauses() { return random_.below(100) < pauses_percent_; }
  // One cycle with this input word, if any; whether it moved. An output word that moves goes to `out`.
  bool cycle(const Frame* frame, std::size_t word, std::vector<FrameOut>& out);

  rtl::ClockedStream& design_;
  RandomStream& random_;
  std::uint32_t pauses_percent_;
  std::uint64_t now_ = 0;
  bool offers_ = false;                     // an input word that was offered stays so until it is taken
  std::optional<rtl::StreamWord> stalled_;  // an output word that was not taken
  FrameOut receiving_;
};

}  // namespace nandscape::tests
