// SPDX-License-Identifier: Apache-2.0
// Moves frames through a design with stream ports: computes the design's inputs in each cycle, and collects its
// outputs. The driver of the design applies inputs(), and passes the outputs at the clock edge to clock():
//
//   transfer.begin(frames);
//   while (!transfer.ended()) transfer.clock(design.cycle(transfer.inputs()));
//
// Frames go in back to back, so a design may take in one frame while it still puts out the previous one. Outputs are
// always accepted at once.
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
  std::span<std::byte> out;  // sized for the frame that the design puts out
  std::uint64_t seed = 0;
  // Outputs of the design with the last word.
  bool fail = false;
  std::uint16_t corrected = 0;  // bits
};

class StreamTransfer {
 public:
  // `design` is the name of the design in errors. A time of `watchdog` without a word moved is an error.
  StreamTransfer(std::string design, const Clock& clock, Tick watchdog);

  void begin(std::span<StreamFrame> frames);
  const ClockedStream::Inputs& inputs() const { return inputs_; }
  // Throws ProtocolError if the design puts out a frame of another length, words that belong to no frame, or no words.
  void clock(const ClockedStream::Outputs& outputs);

  bool ended() const { return frames_out_ == frames_.size(); }
  // The number of cycles since begin().
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
  std::size_t frames_in_ = 0;   // frames that have gone in
  std::size_t frames_out_ = 0;  // frames that have come out
  std::size_t bytes_in_ = 0;    // bytes of the next frame that have gone in
  std::size_t bytes_out_ = 0;
  ClockedStream::Inputs inputs_;
  std::uint64_t cycles_ = 0;
  std::uint64_t silence_ = 0;  // cycles since a word moved
};

}  // namespace nandscape::rtl
