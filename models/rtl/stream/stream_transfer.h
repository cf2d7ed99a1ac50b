// SPDX-License-Identifier: Apache-2.0
// Moves frames through a design with stream ports. It computes the inputs of the design for each cycle and collects the
// outputs. In each cycle, the driver of the design applies inputs() to the design, and passes the outputs at the clock
// edge to clock():
//
//   transfer.begin(frames);
//   while (!transfer.ended()) transfer.clock(design.cycle(transfer.inputs()));
//
// Frames are sent to the design without gaps, so a design may receive one frame while it is still sending the previous
// one. The outputs of the design are always accepted immediately.
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
  std::span<std::byte> out;  // must have the size of the frame that the design sends
  std::uint64_t seed = 0;
  // Outputs that are valid with the last word of the frame.
  bool fail = false;
  std::uint16_t corrected = 0;  // number of corrected bits
};

class StreamTransfer {
 public:
  // `design` is the name of the design in error messages. It is an error if no word is transferred for the time
  // `watchdog`.
  StreamTransfer(std::string design, const Clock& clock, Tick watchdog);

  void begin(std::span<StreamFrame> frames);
  const ClockedStream::Inputs& inputs() const { return inputs_; }
  // Advances by one cycle with these outputs of the design. Throws ProtocolError if the design sends a frame of the
  // wrong length or words that belong to no frame, or if it transfers no words for the time of the watchdog.
  void clock(const ClockedStream::Outputs& outputs);

  bool ended() const { return frames_out_ == frames_.size(); }
  // Returns the number of cycles since begin().
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
  std::uint64_t patience_;  // the watchdog, in cycles
  std::span<StreamFrame> frames_;
  std::size_t frames_in_ = 0;   // frames that have been sent completely
  std::size_t frames_out_ = 0;  // frames that have been received completely
  std::size_t bytes_in_ = 0;    // bytes of the current input frame that have been sent
  std::size_t bytes_out_ = 0;
  ClockedStream::Inputs inputs_;
  std::uint64_t cycles_ = 0;
  std::uint64_t silence_ = 0;  // cycles since the last transfer of a word
};

}  // namespace nandscape::rtl
