// SPDX-License-Identifier: Apache-2.0
// Sends frames through a design cycle by cycle, with random pauses on both sides, and collects its output. Throws where
// the design breaks a rule of the stream.
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
  std::uint64_t first_cycle = 0;  // cycle in which its first word moved
  std::uint64_t last_cycle = 0;   // cycle in which its last word moved
};

class StreamDriver {
 public:
  // `pauses_percent` is the percentage of cycles in which a side pauses although it could go on.
  StreamDriver(rtl::ClockedStream& design, RandomStream& random, std::uint32_t pauses_percent);

  void reset();

  // Returns one output frame for each input frame.
  std::vector<FrameOut> run(std::span<const Frame> frames);

  // Runs cycles without words to send.
  void idle(std::uint32_t cycles);

  // Sends only the first `words` words of a frame.
  void send_start(const Frame& frame, std::size_t words);

 private:
  static rtl::StreamWord word_of(const Frame& frame, std::size_t word);
  bool pauses() { return random_.below(100) < pauses_percent_; }
  // Runs one cycle and offers this word of `frame`, unless that is null. Returns whether the word moved. Appends an
  // output frame to `out` when its last word has moved.
  bool cycle(const Frame* frame, std::size_t word, std::vector<FrameOut>& out);

  rtl::ClockedStream& design_;
  RandomStream& random_;
  std::uint32_t pauses_percent_;
  std::uint64_t now_ = 0;
  bool offers_ = false;                     // an input word that was offered stays offered until it is taken
  std::optional<rtl::StreamWord> stalled_;  // an output word that was not taken
  FrameOut receiving_;
};

}  // namespace nandscape::tests
