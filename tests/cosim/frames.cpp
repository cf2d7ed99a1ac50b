// SPDX-License-Identifier: Apache-2.0
// Tests that the designs keep successive frames apart: after a reset in the middle of a frame, with frames back to
// back, and with frames of odd lengths.
#include <algorithm>
#include <memory>

#include "catch.h"
#include "cosim/code_frames.h"
#include "cosim/stream_driver.h"
#include "ecc/page_coders/scrambler.h"
#include "rtl/blocks/verilated_blocks.h"

using namespace nandscape;
using namespace nandscape::tests;

namespace {

constexpr std::uint32_t no_pauses = 0;
constexpr std::uint64_t payload_words = 1024 / 8;
constexpr std::uint64_t codeword_words = payload_words + 16;

// Cycles between the first words of successive frames.
std::vector<std::uint64_t> distances(const std::vector<FrameOut>& frames) {
  std::vector<std::uint64_t> result;
  for (std::size_t i = 1; i < frames.size(); ++i) result.push_back(frames[i].first_cycle - frames[i - 1].first_cycle);
  return result;
}

std::uint64_t cycles_of_decode(std::uint32_t errors) {
  RandomStream random(1, "cycles");
  CodeFrames code(1024, 72, random);
  const auto design = rtl::make_bch_decoder();
  StreamDriver driver(*design, random, no_pauses);
  Frame frame = code.encoded(code.payload());
  code.add_errors(frame, errors, CodeFrames::Pattern::scattered);
  const std::vector<Frame> frames(2, frame);
  return distances(driver.run(frames)).front();
}

}  // namespace

TEST_CASE("the BCH encoder sends frames back to back without a bubble") {
  RandomStream random(1, "bubbles");
  CodeFrames code(1024, 72, random);
  const auto design = rtl::make_bch_encoder();
  StreamDriver driver(*design, random, no_pauses);
  const std::vector<Frame> frames(3, code.payload());
  const std::vector<FrameOut> out = driver.run(frames);
  CHECK(distances(out) == std::vector<std::uint64_t>{codeword_words, codeword_words});
  CHECK(out.back().last_cycle - out.back().first_cycle == codeword_words - 1);
}

TEST_CASE("the scrambler takes one word per cycle within a frame and six cycles to start a frame") {
  RandomStream random(2, "bubbles");
  const auto design = rtl::make_scrambler();
  StreamDriver driver(*design, random, no_pauses);
  const std::vector<Frame> frames(3, Frame{std::vector<std::byte>(2048), 5});
  const std::vector<FrameOut> out = driver.run(frames);
  CHECK(out.back().last_cycle - out.back().first_cycle == 2048 / 8 - 1);
  CHECK(distances(out) == std::vector<std::uint64_t>{2048 / 8 + 6, 2048 / 8 + 6});
}

TEST_CASE("the BCH decoder takes more cycles the more errors there are") {
  // The codeword enters and the payload leaves at one word per cycle. Two more cycles determine that there are no
  // errors.
  CHECK(cycles_of_decode(0) <= codeword_words + payload_words + 2);
  // The 72 steps of the key equation need slightly more than two cycles each. The error search needs one cycle per
  // word: it processes 16 coefficients per cycle, and the error locator has only 11.
  CHECK(cycles_of_decode(10) < 144 + 128 + 72 * 2 + 20 + codeword_words);
  CHECK(cycles_of_decode(10) > 144 + 128 + 72 * 2 + codeword_words - 2);
  const std::uint64_t most = cycles_of_decode(72);
  CHECK(most > cycles_of_decode(40));
  CHECK(most < 1500);
}

TEST_CASE("a reset in the middle of a frame discards the frame") {
  RandomStream random(1, "reset");
  CodeFrames code(64, 4, random);
  const auto encoder = rtl::make_small_bch_encoder();
  const auto decoder = rtl::make_small_bch_decoder();
  const auto scrambler = rtl::make_scrambler();
  StreamDriver encoding(*encoder, random, 20);
  StreamDriver decoding(*decoder, random, 20);
  StreamDriver scrambling(*scrambler, random, 20);
  for (int i = 0; i < 200; ++i) {
    const std::vector<Frame> plain = {code.payload()};
    encoding.send_start(code.payload(), random.below(9));
    encoding.reset();
    CHECK(encoding.run(plain).front().bytes == code.encoded(plain.front()).bytes);

    // The reset may come after any number of words of the frame. After the last word, the decoder is already decoding.
    decoding.send_start(code.damaged(), random.below(10));
    decoding.idle(static_cast<std::uint32_t>(random.below(60)));
    decoding.reset();
    const std::vector<Frame> damaged = {code.damaged()};
    const FrameOut expected = code.decoded(damaged.front());
    const FrameOut decoded = decoding.run(damaged).front();
    CHECK(decoded.bytes == expected.bytes);
    CHECK(decoded.fail == expected.fail);
    CHECK(decoded.corrected == expected.corrected);

    scrambling.send_start({std::vector<std::byte>(1000), 1}, random.below(100));
    scrambling.reset();
    std::vector<std::byte> sequence(64);
    ecc::scramble(7, 0, sequence);
    const std::vector<Frame> zeros = {{std::vector<std::byte>(64), 7}};
    CHECK(scrambling.run(zeros).front().bytes == sequence);
  }
}

TEST_CASE("the BCH decoder fails frames of a wrong length and continues") {
  RandomStream random(1, "lengths");
  CodeFrames code(64, 4, random);
  const auto design = rtl::make_small_bch_decoder();
  StreamDriver driver(*design, random, 20);
  for (const std::size_t bytes : {8, 56, 64, 80, 800}) {
    const Frame right = code.encoded(code.payload());
    const std::vector<Frame> frames = {right, Frame{std::vector<std::byte>(bytes, std::byte{0x5a})}, right};
    const std::vector<FrameOut> out = driver.run(frames);
    CHECK_FALSE(out[0].fail);
    CHECK(out[1].fail);
    CHECK_FALSE(out[2].fail);
    CHECK(out[2].bytes == code.decoded(right).bytes);
  }
}
