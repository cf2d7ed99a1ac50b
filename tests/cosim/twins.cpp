// SPDX-License-Identifier: Apache-2.0
// Tests that the SystemVerilog designs produce the same bits as their C++ twins, with random pauses on both sides.
#include <algorithm>
#include <array>
#include <memory>

#include "catch.h"
#include "cosim/code_frames.h"
#include "cosim/stream_driver.h"
#include "ecc/page_coders/scrambler.h"
#include "rtl/blocks/verilated_blocks.h"

using namespace nandscape;
using namespace nandscape::tests;

namespace {

constexpr std::size_t frames_a_run = 50;
// Neighbours that never pause, pause sometimes, and pause most of the time.
constexpr std::array<std::uint32_t, 3> pauses_percent = {0, 20, 70};

template <class Make>
std::vector<Frame> frames_of(std::size_t count, const Make& make) {
  std::vector<Frame> frames(count);
  std::ranges::generate(frames, make);
  return frames;
}

void check_encoder(rtl::ClockedStream& design, CodeFrames& code, RandomStream& random, std::size_t frames) {
  for (std::size_t done = 0; done < frames; done += frames_a_run) {
    StreamDriver driver(design, random, pauses_percent[done / frames_a_run % pauses_percent.size()]);
    const std::vector<Frame> in = frames_of(frames_a_run, [&] { return code.payload(); });
    const std::vector<FrameOut> out = driver.run(in);
    for (std::size_t i = 0; i < in.size(); ++i) REQUIRE(out[i].bytes == code.encoded(in[i]).bytes);
  }
}

void check_decoder(rtl::ClockedStream& design, CodeFrames& code, RandomStream& random, std::size_t frames) {
  std::size_t corrected = 0, failed = 0;
  for (std::size_t done = 0; done < frames; done += frames_a_run) {
    StreamDriver driver(design, random, pauses_percent[done / frames_a_run % pauses_percent.size()]);
    const std::vector<Frame> in = frames_of(frames_a_run, [&] { return code.damaged(); });
    const std::vector<FrameOut> out = driver.run(in);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const FrameOut expected = code.decoded(in[i]);
      REQUIRE(out[i].fail == expected.fail);
      REQUIRE(out[i].corrected == expected.corrected);
      REQUIRE(out[i].bytes == expected.bytes);
      ++(expected.fail ? failed : corrected);
    }
  }
  // Some frames must be corrected and others must fail, so that both cases are tested.
  CHECK(corrected > frames / 2);
  CHECK(failed > frames / 20);
}

}  // namespace

TEST_CASE("the BCH encoder computes the same parity as its twin") {
  RandomStream random(1, "encoder");
  CodeFrames code(1024, 72, random);
  const auto design = rtl::make_bch_encoder();
  check_encoder(*design, code, random, 10000);
}

TEST_CASE("the small BCH encoder computes the same parity as its twin") {
  RandomStream random(2, "encoder");
  CodeFrames code(64, 4, random);
  const auto design = rtl::make_small_bch_encoder();
  check_encoder(*design, code, random, 10000);
}

TEST_CASE("the BCH decoder corrects and fails as its twin does") {
  RandomStream random(1, "decoder");
  CodeFrames code(1024, 72, random);
  const auto design = rtl::make_bch_decoder();
  check_decoder(*design, code, random, 10000);
}

TEST_CASE("the small BCH decoder corrects and fails as its twin does") {
  RandomStream random(3, "decoder");
  CodeFrames code(64, 4, random);
  const auto design = rtl::make_small_bch_decoder();
  check_decoder(*design, code, random, 10000);
}

TEST_CASE("the scrambler adds the same sequence as its twin") {
  RandomStream random(1, "scrambler");
  const auto design = rtl::make_scrambler();
  for (std::size_t done = 0; done < 10000; done += frames_a_run) {
    StreamDriver driver(*design, random, pauses_percent[done / frames_a_run % pauses_percent.size()]);
    // The scrambler sequence restarts every 512 bytes, so the frames are shorter and longer than that.
    const std::vector<Frame> in = frames_of(frames_a_run, [&] {
      Frame frame{std::vector<std::byte>(1 + random.below(1600)), random()};
      for (std::byte& byte : frame.bytes) byte = static_cast<std::byte>(random());
      return frame;
    });
    const std::vector<FrameOut> out = driver.run(in);
    for (std::size_t i = 0; i < in.size(); ++i) {
      std::vector<std::byte> expected = in[i].bytes;
      ecc::scramble(in[i].seed, 0, expected);
      REQUIRE(out[i].bytes == expected);
    }
  }
}
