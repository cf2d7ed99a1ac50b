// SPDX-License-Identifier: Apache-2.0
// Test substitutes for RTL designs with stream ports, written in C++. A codec or the scrambler processes whole frames
// between an input buffer and an output buffer. The design accepts words, finishes frames and offers words at random
// times.
#pragma once

#include <cstring>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "core/random.h"
#include "ecc/codes/codec.h"
#include "ecc/page_coders/scrambler.h"
#include "rtl/stream/clocked_stream.h"

namespace nandscape::rtl {

class FrameDesign : public ClockedStream {
 public:
  struct Pace {
    double ready = 1;              // probability that the design is ready for a word in a cycle
    double valid = 1;              // probability that the design starts to offer an available word in a cycle
    std::uint32_t latency = 0;     // maximum number of cycles for processing a frame
    std::uint32_t frames_out = 1;  // finished frames that may wait for output; the design then accepts no more input
  };

  FrameDesign(const Pace& pace, std::uint64_t seed) : pace_(pace), random_(seed, "design") {}

  Outputs cycle(const Inputs& inputs) final {
    if (inputs.reset) {
      in_.clear();
      out_.clear();
      sent_ = 0;
      showing_ = false;
      return {};
    }
    ++now_;
    const bool willing = random_.uniform() < pace_.ready;
    const bool shows = random_.uniform() < pace_.valid;
    Outputs outputs;
    outputs.in_ready = willing && out_.size() < pace_.frames_out;
    showing_ = showing_ || (shows && !out_.empty() && out_.front().ready <= now_);
    if (showing_) show(outputs);
    if (outputs.in_ready && inputs.in.valid) take(inputs);
    if (outputs.out.valid && inputs.out_ready) sent(outputs.out.last);
    return outputs;
  }

 protected:
  struct Frame {
    std::vector<std::byte> bytes;
    std::uint64_t seed = 0;
    bool fail = false;
    std::uint16_t corrected = 0;
    std::uint64_t ready = 0;  // first cycle in which the frame may be output
  };
  // Computes the output frame from the input frame, in place.
  virtual void work(Frame& frame) = 0;

 private:
  void show(Outputs& outputs) const {
    const Frame& frame = out_.front();
    const std::size_t left = frame.bytes.size() - sent_;
    const std::size_t bytes = left < 8 ? left : 8;
    std::memcpy(&outputs.out.data, frame.bytes.data() + sent_, bytes);
    outputs.out.keep = static_cast<std::uint8_t>((1u << bytes) - 1);
    outputs.out.valid = true;
    outputs.out.last = bytes == left;
    if (!outputs.out.last) return;
    outputs.fail = frame.fail;
    outputs.corrected = frame.corrected;
  }
  void take(const Inputs& inputs) {
    if (in_.empty()) seed_ = inputs.seed;
    for (unsigned int k = 0; k < 8; ++k) {
      if ((inputs.in.keep >> k & 1) != 0) in_.push_back(static_cast<std::byte>(inputs.in.data >> 8 * k));
    }
    if (!inputs.in.last) return;
    Frame& frame = out_.emplace_back();
    frame.bytes = std::exchange(in_, {});
    frame.seed = seed_;
    frame.ready = now_ + 1 + random_.below(pace_.latency + 1);
    work(frame);
  }
  void sent(bool last) {
    showing_ = false;
    sent_ += 8;
    if (!last) return;
    out_.pop_front();
    sent_ = 0;
  }

  const Pace pace_;
  RandomStream random_;
  std::uint64_t now_ = 0;
  std::vector<std::byte> in_;
  std::uint64_t seed_ = 0;
  std::deque<Frame> out_;
  std::size_t sent_ = 0;
  bool showing_ = false;
};

class EncoderDesign final : public FrameDesign {
 public:
  EncoderDesign(const ecc::Code& code, const Pace& pace, std::uint64_t seed)
      : FrameDesign(pace, seed), codec_(ecc::make_codec(code)) {}

 private:
  void work(Frame& frame) override {
    frame.bytes.resize(codec_->payload_bytes() + codec_->parity_bytes());
    codec_->encode(frame.bytes.data(), frame.bytes.data() + codec_->payload_bytes());
  }
  const std::unique_ptr<ecc::Codec> codec_;
};

class DecoderDesign final : public FrameDesign {
 public:
  DecoderDesign(const ecc::Code& code, const Pace& pace, std::uint64_t seed)
      : FrameDesign(pace, seed), codec_(ecc::make_codec(code)) {}

 private:
  void work(Frame& frame) override {
    const ecc::DecodeOutcome outcome = codec_->decode(frame.bytes.data(), frame.bytes.data() + codec_->payload_bytes());
    frame.fail = !outcome.corrected;
    frame.corrected = static_cast<std::uint16_t>(outcome.corrected_bits);
    frame.bytes.resize(codec_->payload_bytes());
  }
  const std::unique_ptr<ecc::Codec> codec_;
};

class ScramblerDesign final : public FrameDesign {
 public:
  using FrameDesign::FrameDesign;

 private:
  void work(Frame& frame) override { ecc::scramble(frame.seed, 0, frame.bytes); }
};

}  // namespace nandscape::rtl
