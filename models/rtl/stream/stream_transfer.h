// SPDX-License-Identifier: Apache-2.0
// Frames on their way through a design with stream ports: what stands at the design's inputs in each cycle, and what is
// taken from its outputs. Who clocks the design asks inputs(), and tells clock() what the outputs were at the edge:
//
//   transfer.begin(frames);
//   while (!transfer.ended()) transfer.clock(design.cycle(transfer.inputs()));
//
// A frame goes in right behind the one before it, so that a design may take it while it still puts out the last one.
// The outputs are always taken at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "rtl/clock/clock.h"
#include "rtl/stream/clocked_stream.h"

namespace nandscape::rtl {

struct StreamFrame {
  std::span<const std::byte> in;
  std::span<std::byte> out;  // as long as the frame that the design puts out
  std::uint64_t seed = 0;
  // What the design has said with the last word.
  bool fail = false;
  std::uint16_t corrected = 0;  // bits
};

class StreamTransfer {
 public:
  // Errors name the design. No word moves for `watchdog` at most; that is an error.
  StreamTransfer(std::string design, const Clock& clock, Tick watchdog);

  void begin(std::span<StreamFrame> frames);
  const ClockedStream::Inputs& inputs() const { return inputs_; }
  // Throws ProtocolError when the design puts out a frame of another length, words that belong to no frame, or none at
  // all.
  void clock(const ClockedStream::Outputs& outputs);

  bool ended() const { return frames_out_ == frames_.size(); }
  // Since begin().
  std::uint64_t cycles() const { return cycles_; }
  const std::string& design() const { return design_; }

 private:
  void present_word();
  void take(const ClockedStream::Outputs& outputs);
  std::string place() const;
  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse_silence() const;

  std::string design_;
  Clock clock_;
  std::uint64_t patience_;  // cycles
  std::span<StreamFrame> frames_;
  std::size_t frames_in_ = 0;   // that have gone in
  std::size_t frames_out_ = 0;  // that have come out
  std::size_t bytes_in_ = 0;    // of the next frame
  std::size_t bytes_out_ = 0;
  ClockedStream::Inputs inputs_;
  std::uint64_t cycles_ = 0;
  std::uint64_t silence_ = 0;  // cycles since a word has moved
};

}  // namespace nandscape::rtl
