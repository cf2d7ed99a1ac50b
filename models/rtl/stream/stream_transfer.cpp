// SPDX-License-Identifier: Apache-2.0
#include "rtl/stream/stream_transfer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace nandscape::rtl {

namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

std::size_t words_of(std::size_t bytes) { return (bytes + word_bytes - 1) / word_bytes; }

}  // namespace

StreamTransfer::StreamTransfer(std::string design, const Clock& clock, Tick watchdog)
    : design_(std::move(design)), clock_(clock), patience_(std::max<std::uint64_t>(clock.cycles_in(watchdog), 1)) {
  inputs_.out_ready = true;
}

void StreamTransfer::begin(std::span<StreamFrame> frames) {
  frames_ = frames;
  frames_in_ = frames_out_ = 0;
  bytes_in_ = bytes_out_ = 0;
  cycles_ = silence_ = 0;
  present_word();
}

void StreamTransfer::clock(const ClockedStream::Outputs& outputs) {
  ++cycles_;
  ++silence_;
  if (inputs_.in.valid && outputs.in_ready) {
    silence_ = 0;
    bytes_in_ += static_cast<std::size_t>(std::popcount(inputs_.in.keep));
    if (inputs_.in.last) {
      ++frames_in_;
      bytes_in_ = 0;
    }
    present_word();
  }
  if (outputs.out.valid) {
    silence_ = 0;
    take(outputs);
  }
  if (silence_ >= patience_) refuse_silence();
}

void StreamTransfer::present_word() {
  StreamWord& word = inputs_.in;
  if (frames_in_ == frames_.size()) {
    word = {};
    inputs_.seed = 0;
    return;
  }
  const StreamFrame& frame = frames_[frames_in_];
  const std::size_t bytes = std::min(word_bytes, frame.in.size() - bytes_in_);
  word.data = 0;
  std::memcpy(&word.data, frame.in.data() + bytes_in_, bytes);
  word.keep = static_cast<std::uint8_t>(0xff >> (word_bytes - bytes));
  word.valid = true;
  word.last = bytes_in_ + bytes == frame.in.size();
  inputs_.seed = bytes_in_ == 0 ? frame.seed : 0;
}

void StreamTransfer::take(const ClockedStream::Outputs& outputs) {
  const StreamWord& word = outputs.out;
  const bool begun = frames_out_ < frames_in_ || (frames_out_ == frames_in_ && bytes_in_ != 0);
  if (!begun) refuse("it puts out a word before it has taken one of the frame to which this would belong");
  StreamFrame& frame = frames_[frames_out_];
  const std::size_t left = frame.out.size() - bytes_out_;
  const auto bytes = static_cast<std::size_t>(std::popcount(word.keep));
  if (bytes == 0 || (word.keep & (word.keep + 1)) != 0 || (!word.last && bytes != word_bytes)) {
    refuse("m_keep is " + std::to_string(word.keep) + (word.last ? " beside m_last" : " without m_last") +
           ": all words but the last are full, and the last keeps its bytes from the lowest on");
  }
  if (bytes > left || (bytes == left && !word.last)) {
    refuse("the frame does not end after its " + std::to_string(frame.out.size()) + " bytes: m_last stays low");
  }
  if (word.last && bytes < left) {
    refuse("m_last comes after " + std::to_string(bytes_out_ + bytes) + " bytes, where a frame has " +
           std::to_string(frame.out.size()));
  }
  std::memcpy(frame.out.data() + bytes_out_, &word.data, bytes);
  bytes_out_ += bytes;
  if (!word.last) return;
  if (frames_in_ == frames_out_) {
    refuse("m_last comes when " + std::to_string(bytes_in_) + " of " + std::to_string(frame.in.size()) +
           " bytes have gone in: a frame must not end before its input");
  }
  frame.fail = outputs.fail;
  frame.corrected = outputs.corrected;
  ++frames_out_;
  bytes_out_ = 0;
}

std::string StreamTransfer::place() const {
  return design_ + ", cycle " + std::to_string(cycles_) + ", frame " + std::to_string(frames_out_ + 1) + " of " +
         std::to_string(frames_.size());
}

void StreamTransfer::refuse(const std::string& what) const { throw ProtocolError(place() + ": " + what); }

void StreamTransfer::refuse_silence() const {
  std::string what = "no word has moved for " + std::to_string(silence_) + " cycles (" +
                     std::to_string(us_from_ticks(clock_.span(silence_))) + " us at " + std::to_string(clock_.mhz()) +
                     " MHz): ";
  if (inputs_.in.valid) {
    what += "s_ready stays low before word " + std::to_string(bytes_in_ / word_bytes + 1) + " of " +
            std::to_string(words_of(frames_[frames_in_].in.size())) + " of frame " + std::to_string(frames_in_ + 1) +
            " going in, and ";
  }
  const StreamFrame& frame = frames_[frames_out_];
  what += "m_valid stays low after " + std::to_string(bytes_out_ / word_bytes) + " of " +
          std::to_string(words_of(frame.out.size())) + " words of the frame coming out";
  refuse(what + "; check the clock, the reset and these ports, or set a longer watchdog");
}

}  // namespace nandscape::rtl
