// SPDX-License-Identifier: Apache-2.0
// Sends frames to a design cycle by cycle, with random pauses on both sides, and collects its output. Throws if the
// design breaks a rule of the stream protocol.
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
  std::uint64_t first_cycle = 0;  // cycle in which the first word was transferred
  std::uint64_t last_cycle = 0;   // cycle in which the last word was transferred
};

class StreamDriver {
 public:
  // `pauses_percent` is the percentage of cycles in which a side pauses, although it could transfer a word.
  StreamDriver(rtl::ClockedStream& design, RandomStream& random, std::uint32_t pauses_percent);

  void reset();

  // Sends all frames, waits for the output, and returns one output frame for each input frame.
  std::vector<FrameOut> run(std::span<const Frame> frames);

  // Runs cycles without words to send.
  void idle(std::uint32_t cycles);

  // Sends only the first `words` words of a frame, for tests that reset the design in the middle of the frame.
  void send_start(const Frame& frame, std::size_t words);

 private:
  static rtl::StreamWord word_of(const Frame& frame, std::size_t word);
  bool pauses() { return random_.below(100) < pauses_percent_; }
  // Runs one cycle. Offers the given word of `frame` to the design, unless `frame` is null. Returns whether the design
  // took the word. When the design has delivered the last word of an output frame, the frame is appended to `out`.
  bool cycle(const Frame* frame, std::size_t word, std::vector<FrameOut>& out);

  rtl::ClockedStream& design_;
  RandomStream& random_;
  std::uint32_t pauses_percent_;
  std::uint64_t now_ = 0;
  bool offers_ = false;  // an input word is on offer; it must stay on offer until the design takes it
  std::optional<rtl::StreamWord> stalled_;  // output word that the driver has not taken yet; it must not change
  FrameOut receiving_;
};

}  // namespace nandscape::tests
