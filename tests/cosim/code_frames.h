// SPDX-License-Identifier: Apache-2.0
// Makes frames for the tests of the BCH designs, and computes the results that are expected from the C++ codec.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/random.h"
#include "cosim/stream_driver.h"
#include "ecc/bch/bch_codec.h"

namespace nandscape::tests {

class CodeFrames {
 public:
  CodeFrames(std::uint32_t payload_bytes, std::uint32_t correctable_bits, RandomStream& random)
      : codec_(ecc::BchCode::get(payload_bytes, correctable_bits)),
        correctable_bits_(correctable_bits),
        random_(random) {}

  std::size_t payload_bytes() const { return codec_.payload_bytes(); }
  std::uint32_t correctable_bits() const { return correctable_bits_; }

  Frame payload() {
    Frame frame{std::vector<std::byte>(codec_.payload_bytes())};
    for (std::byte& byte : frame.bytes) byte = static_cast<std::byte>(random_());
    return frame;
  }

  Frame encoded(Frame frame) {
    const std::size_t payload_bytes = frame.bytes.size();
    frame.bytes.resize(payload_bytes + codec_.parity_bytes());
    codec_.encode(frame.bytes.data(), frame.bytes.data() + payload_bytes);
    return frame;
  }

  // Where errors are placed: scattered over the codeword, only in the parity, or in adjacent bits.
  enum class Pattern { scattered, parity, burst };

  void add_errors(Frame& frame, std::uint32_t errors, Pattern pattern) {
    const std::uint32_t first = pattern == Pattern::parity ? codec_.payload_bytes() * 8 : 0;
    const std::uint32_t span = codec_.codeword_bits() - first;
    errors = std::min(errors, span);
    std::vector<std::uint32_t> places;
    const auto burst = static_cast<std::uint32_t>(random_.below(span - errors + 1));
    while (places.size() < errors) {
      const auto place = pattern == Pattern::burst ? burst + static_cast<std::uint32_t>(places.size())
                                                   : first + static_cast<std::uint32_t>(random_.below(span));
      if (std::ranges::find(places, place) != places.end()) continue;
      places.push_back(place);
      frame.bytes[place / 8] ^= std::byte{1} << place % 8;
    }
  }

  // Returns a codeword with a random number of errors, from 0 to slightly more than the code corrects.
  Frame damaged() {
    return damaged(static_cast<std::uint32_t>(random_.below(correctable_bits_ + correctable_bits_ / 4 + 3)));
  }

  // Returns a codeword with `errors` errors in a random pattern. The unused bits after the parity are random too, since
  // the decoder must ignore them.
  Frame damaged(std::uint32_t errors) {
    Frame frame = encoded(payload());
    add_errors(frame, errors, static_cast<Pattern>(random_.below(3)));
    const std::uint32_t used = (codec_.codeword_bits() - 1) % 8 + 1;
    if (used < 8) frame.bytes.back() ^= static_cast<std::byte>(random_() << used);
    return frame;
  }

  FrameOut decoded(const Frame& frame) {
    FrameOut out{frame.bytes};
    const ecc::DecodeOutcome outcome = codec_.decode(out.bytes.data(), out.bytes.data() + codec_.payload_bytes());
    out.bytes.resize(codec_.payload_bytes());
    out.fail = !outcome.corrected;
    out.corrected = outcome.corrected_bits;
    return out;
  }

 private:
  ecc::BchCodec codec_;
  std::uint32_t correctable_bits_;
  RandomStream& random_;
};

}  // namespace nandscape::tests
