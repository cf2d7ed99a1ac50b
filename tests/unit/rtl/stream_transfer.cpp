// SPDX-License-Identifier: Apache-2.0
// Tests the transfer of frames through designs that follow the rules of the stream protocol, and through designs that
// break them.
#include "rtl/stream/stream_transfer.h"

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "core/random.h"
#include "rtl_stand_ins.h"

namespace nandscape::rtl {
namespace {

// A design that returns each frame unchanged. It reports the value of the first byte as the number of corrected bits.
class Echo final : public FrameDesign {
 public:
  using FrameDesign::FrameDesign;

 private:
  void work(Frame& frame) override {
    frame.fail = frame.bytes.size() % 2 != 0;
    frame.corrected = static_cast<std::uint16_t>(frame.bytes.front());
  }
};

// A design whose outputs in each cycle are computed by a function of the test.
class Scripted final : public ClockedStream {
 public:
  explicit Scripted(std::function<Outputs(const Inputs&, std::uint64_t cycle)> says) : says_(std::move(says)) {}
  Outputs cycle(const Inputs& inputs) override { return says_(inputs, cycle_++); }

 private:
  std::function<Outputs(const Inputs&, std::uint64_t)> says_;
  std::uint64_t cycle_ = 0;
};

StreamTransfer make_transfer() { return {"platform.ecc.decoder", Clock(400), ticks_from_us(0.25)}; }

std::uint64_t run(ClockedStream& design, std::span<StreamFrame> frames) {
  StreamTransfer transfer = make_transfer();
  transfer.begin(frames);
  while (!transfer.ended()) transfer.clock(design.cycle(transfer.inputs()));
  return transfer.cycles();
}

std::vector<std::byte> random_bytes(RandomStream& random, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
  return bytes;
}

TEST_CASE("a transfer carries frames of any length at any pace") {
  RandomStream random(1, "frames");
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const FrameDesign::Pace pace{.ready = 0.3 + 0.7 * random.uniform(),
                                 .valid = 0.3 + 0.7 * random.uniform(),
                                 .latency = static_cast<std::uint32_t>(random.below(20)),
                                 .frames_out = static_cast<std::uint32_t>(1 + random.below(3))};
    Echo design(pace, seed);
    std::vector<std::vector<std::byte>> in, out;
    for (int k = 0; k < 5; ++k) {
      in.push_back(random_bytes(random, 1 + random.below(80)));
      out.emplace_back(in.back().size());
    }
    std::vector<StreamFrame> frames;
    for (int k = 0; k < 5; ++k) frames.push_back({.in = in[k], .out = out[k]});
    run(design, frames);
    CHECK(out == in);
    for (int k = 0; k < 5; ++k) {
      CHECK(frames[k].fail == (in[k].size() % 2 != 0));
      CHECK(frames[k].corrected == static_cast<std::uint16_t>(in[k].front()));
    }
  }
}

// A frame is 8 words in, one cycle of work, and 8 words out. With a second buffer, the design takes in a frame while it
// outputs the previous frame.
TEST_CASE("a transfer takes the design's cycles, and feeds the next frame meanwhile") {
  std::vector<std::byte> in(64), out(3 * 64);
  std::vector<StreamFrame> frames;
  for (std::size_t k = 0; k < 3; ++k) frames.push_back({.in = in, .out = std::span(out).subspan(64 * k, 64)});
  Echo one_buffer({.frames_out = 1}, 1), two_buffers({.frames_out = 2}, 1);
  CHECK(run(one_buffer, frames) == 3 * (8 + 8));
  CHECK(run(two_buffers, frames) == 8 + 3 * 8);
}

TEST_CASE("an error names the design that breaks the rules of a stream, and the rule") {
  std::vector<std::byte> in(40), out(32);
  std::vector<StreamFrame> frames{{.in = in, .out = out}};
  const auto puts_out = [](const StreamWord& word) {
    return Scripted([word](const ClockedStream::Inputs&, std::uint64_t cycle) {
      ClockedStream::Outputs outputs{.in_ready = true, .out = {}};
      if (cycle >= 5) outputs.out = word;
      return outputs;
    });
  };
  const auto text_of = [&](ClockedStream& design) -> std::string {
    try {
      run(design, frames);
    } catch (const ProtocolError& error) {
      return error.what();
    }
    return "no error";
  };

  SECTION("it is never ready") {
    Scripted design([](const ClockedStream::Inputs&, std::uint64_t) { return ClockedStream::Outputs{}; });
    const std::string text = text_of(design);
    CHECK_THAT(text,
               ContainsSubstring("platform.ecc.decoder, cycle 100, frame 1 of 1: no word has moved for 100 cycles "
                                 "(0.250000 us at 400.000000 MHz): s_ready stays low before word 1 of 5"));
  }
  SECTION("it stops being ready") {
    Scripted design([](const ClockedStream::Inputs&, std::uint64_t cycle) {
      return ClockedStream::Outputs{.in_ready = cycle < 3, .out = {}};
    });
    CHECK_THAT(text_of(design), ContainsSubstring("cycle 103, frame 1 of 1") &&
                                    ContainsSubstring("s_ready stays low before word 4 of 5 of frame 1"));
  }
  SECTION("no word is output") {
    Scripted design([](const ClockedStream::Inputs&, std::uint64_t) {
      return ClockedStream::Outputs{.in_ready = true, .out = {}};
    });
    CHECK_THAT(text_of(design), ContainsSubstring("MHz): m_valid stays low after 0 of 4 words"));
  }
  SECTION("it stops within a frame") {
    Scripted design([](const ClockedStream::Inputs&, std::uint64_t cycle) {
      return ClockedStream::Outputs{.in_ready = true, .out = {.valid = cycle == 6 || cycle == 8}};
    });
    CHECK_THAT(text_of(design), ContainsSubstring("m_valid stays low after 2 of 4 words"));
  }
  SECTION("last never comes") {
    Scripted design = puts_out({.valid = true});
    CHECK_THAT(text_of(design), ContainsSubstring("does not end after its 32 bytes: m_last stays low"));
  }
  SECTION("a frame is too short") {
    Scripted design = puts_out({.keep = 0x3f, .valid = true, .last = true});
    CHECK_THAT(text_of(design), ContainsSubstring("m_last comes after 6 bytes, where a frame has 32"));
  }
  SECTION("words are not full") {
    Scripted design = puts_out({.keep = 0x0f, .valid = true});
    CHECK_THAT(text_of(design), ContainsSubstring("m_keep is 15 without m_last"));
  }
  SECTION("bytes are left out") {
    Scripted design = puts_out({.keep = 0xfd, .valid = true, .last = true});
    CHECK_THAT(text_of(design), ContainsSubstring("m_keep is 253 beside m_last"));
  }
  SECTION("a word is output before any input") {
    Scripted design([](const ClockedStream::Inputs&, std::uint64_t) {
      return ClockedStream::Outputs{.in_ready = false, .out = {.valid = true}};
    });
    CHECK_THAT(text_of(design), ContainsSubstring("before it has taken one of the frame"));
  }
  SECTION("a frame is output before it is complete") {
    Scripted design([](const ClockedStream::Inputs&, std::uint64_t cycle) {
      return ClockedStream::Outputs{.in_ready = cycle < 2, .out = {.valid = cycle > 0, .last = cycle == 4}};
    });
    CHECK_THAT(text_of(design), ContainsSubstring("m_last comes when 16 of 40 bytes have gone in"));
  }
}

TEST_CASE("a frame cut off by a reset leaves no trace") {
  RandomStream random(2, "frames");
  Echo design({.ready = 0.7, .valid = 0.7, .latency = 5}, 3);
  for (int k = 0; k < 100; ++k) {
    const std::vector<std::byte> in = random_bytes(random, 40);
    std::vector<std::byte> out(40);
    std::vector<StreamFrame> frames{{.in = in, .out = out}};
    StreamTransfer transfer = make_transfer();
    transfer.begin(frames);
    for (std::uint64_t cycle = random.below(15); cycle > 0 && !transfer.ended(); --cycle) {
      transfer.clock(design.cycle(transfer.inputs()));
    }
    design.cycle({.reset = true, .in = {}});
    run(design, frames);
    CHECK(out == in);
  }
}

TEST_CASE("an invalid clock is refused") {
  CHECK_THROWS_WITH(Clock(0), ContainsSubstring("clock_mhz: 0.000000 MHz is not a clock frequency"));
  CHECK_THROWS_AS(Clock(-1), ConfigError);
  CHECK(Clock(333).span(1'000'000) == 3'003'003'003);
  CHECK(Clock(400).span(3) == 7500);
  CHECK(Clock(400).middle(1) == 3750);
}

}  // namespace
}  // namespace nandscape::rtl
