// SPDX-License-Identifier: Apache-2.0
#include "cosim/stream_driver.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

namespace nandscape::tests {

namespace {

constexpr std::size_t word_bytes = 8;

bool operator==(const rtl::StreamWord& a, const rtl::StreamWord& b) {
  return a.data == b.data && a.keep == b.keep && a.last == b.last;
}

}  // namespace

StreamDriver::StreamDriver(rtl::ClockedStream& design, RandomStream& random, std::uint32_t pauses_percent)
    : design_(design), random_(random), pauses_percent_(pauses_percent) {
  reset();
}

void StreamDriver::reset() {
  rtl::ClockedStream::Inputs inputs;
  inputs.reset = true;
  for (int i = 0; i < 2; ++i) design_.cycle(inputs);
  offers_ = false;
  stalled_.reset();
  receiving_ = {};
}

rtl::StreamWord StreamDriver::word_of(const Frame& frame, std::size_t word) {
  const std::size_t from = word * word_bytes;
  const std::size_t count = std::min(word_bytes, frame.bytes.size() - from);
  rtl::StreamWord result;
  std::memcpy(&result.data, &frame.bytes[from], count);
  result.keep = static_cast<std::uint8_t>(0xff >> (word_bytes - count));
  result.valid = true;
  result.last = from + count == frame.bytes.size();
  return result;
}

bool StreamDriver::cycle(const Frame* frame, std::size_t word, std::vector<FrameOut>& out) {
  rtl::ClockedStream::Inputs inputs;
  offers_ = frame != nullptr && (offers_ || !pauses());
  if (offers_) {
    inputs.in = word_of(*frame, word);
    if (word == 0) inputs.seed = frame->seed;
  }
  inputs.out_ready = !pauses();
  const rtl::ClockedStream::Outputs outputs = design_.cycle(inputs);
  ++now_;

  if (stalled_ && !(outputs.out.valid && outputs.out == *stalled_)) {
    throw std::logic_error("in cycle " + std::to_string(now_) + " an output word changed before it was taken");
  }
  stalled_.reset();
  if (outputs.out.valid && !inputs.out_ready) stalled_ = outputs.out;
  if (outputs.out.valid && inputs.out_ready) {
    if (receiving_.bytes.empty()) receiving_.first_cycle = now_;
    const auto count = static_cast<std::size_t>(std::popcount(outputs.out.keep));
    const auto* const bytes = reinterpret_cast<const std::byte*>(&outputs.out.data);
    receiving_.bytes.insert(receiving_.bytes.end(), bytes, bytes + count);
    if (outputs.out.last) {
      receiving_.fail = outputs.fail;
      receiving_.corrected = outputs.corrected;
      receiving_.last_cycle = now_;
      out.push_back(std::move(receiving_));
      receiving_ = {};
    }
  }
  const bool moved = offers_ && outputs.in_ready;
  if (moved) offers_ = false;
  return moved;
}

std::vector<FrameOut> StreamDriver::run(std::span<const Frame> frames) {
  constexpr std::uint64_t most_idle_cycles = 100000;
  std::vector<FrameOut> out;
  std::size_t frame = 0, word = 0;
  for (std::uint64_t progress = now_; out.size() < frames.size();) {
    const std::size_t received = receiving_.bytes.size() + out.size();
    if (cycle(frame < frames.size() ? &frames[frame] : nullptr, word, out)) {
      progress = now_;
      if (++word * word_bytes >= frames[frame].bytes.size()) {
        word = 0;
        ++frame;
      }
    }
    if (receiving_.bytes.size() + out.size() != received) progress = now_;
    if (now_ - progress > most_idle_cycles) {
      throw std::logic_error("no word moved in " + std::to_string(most_idle_cycles) + " cycles, after " +
                             std::to_string(out.size()) + " of " + std::to_string(frames.size()) + " frames");
    }
  }
  return out;
}

void StreamDriver::idle(std::uint32_t cycles) {
  std::vector<FrameOut> out;
  for (std::uint32_t i = 0; i < cycles; ++i) cycle(nullptr, 0, out);
}

void StreamDriver::send_start(const Frame& frame, std::size_t words) {
  std::vector<FrameOut> out;
  for (std::size_t word = 0; word < words;) word += cycle(&frame, word, out) ? 1 : 0;
}

}  // namespace nandscape::tests
