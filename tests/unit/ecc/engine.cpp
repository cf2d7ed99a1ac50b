// SPDX-License-Identifier: Apache-2.0
#include "ecc/engine.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "catch.h"
#include "ecc/page_coders/threshold_coder.h"

namespace nandscape::ecc {
namespace {

constexpr Tick us = microsecond, ns = nanosecond;

EccParameters parameters() {
  EccParameters p;
  p.t_decode_us = 15;
  p.decode_mb_s = 1000;  // 1 ns per byte
  p.t_encode_us = 6;
  p.encode_mb_s = 2000;
  return p;
}

EccEngine make_engine(const EccParameters& p = parameters()) { return {p, std::make_unique<ThresholdCoder>(40)}; }

EccJob job(EccKind kind, std::uint32_t bytes, std::uint32_t errors = 0) {
  EccJob j;
  j.kind = kind;
  j.bytes = bytes;
  j.raw_bit_errors = errors;
  j.worst_codeword_errors = errors;
  return j;
}

TEST_CASE("a single job takes the latency, whatever its size") {
  for (const std::uint32_t bytes : {1024u, 16384u}) {
    EccEngine engine = make_engine();
    EccJob decode = job(EccKind::decode, bytes), encode = job(EccKind::encode, bytes);
    CHECK(engine.accept(decode, 100) == 100 + 15 * us);
    CHECK(engine.accept(encode, 100) == 100 + 6 * us);
  }
}

TEST_CASE("simultaneous jobs follow each other at the throughput") {
  EccEngine engine = make_engine();
  for (Tick k = 0; k < 10; ++k) {
    EccJob j = job(EccKind::decode, 8000);
    CHECK(engine.accept(j, 50) == 50 + k * 8 * us + 15 * us);
  }
  // Encoding proceeds in parallel.
  for (Tick k = 0; k < 10; ++k) {
    EccJob j = job(EccKind::encode, 8000);
    CHECK(engine.accept(j, 50) == 50 + k * 4 * us + 6 * us);
  }
}

TEST_CASE("a job waits for the previous one only while that is still being taken in") {
  EccEngine engine = make_engine();
  EccJob j = job(EccKind::decode, 8000);
  engine.accept(j, 0);
  // The engine takes the previous job in until 8 us, so this job waits.
  CHECK(engine.accept(j, 8 * us - 1) == 8 * us + 15 * us);
  EccEngine other = make_engine();
  other.accept(j, 0);
  CHECK(other.accept(j, 8 * us) == 8 * us + 15 * us);  // no wait
  CHECK(other.accept(j, 100 * us) == 115 * us);
}

TEST_CASE("throughput holds to the byte over many small jobs") {
  EccParameters p = parameters();
  p.decode_mb_s = 3000;  // a byte needs a third of a nanosecond
  EccEngine engine = make_engine(p);
  Tick done = 0;
  for (int k = 0; k < 3001; ++k) {
    EccJob j = job(EccKind::decode, 1024);
    done = engine.accept(j, 0);
  }
  CHECK(static_cast<double>(done - 15 * us) == Approx(3000 * 1024 / 3.0 * 1e3).epsilon(1e-5));
}

TEST_CASE("errors are corrected up to the limit of the code") {
  EccEngine engine = make_engine();
  EccJob clean = job(EccKind::decode, 1024, 0), at_limit = job(EccKind::decode, 1024, 40),
         beyond = job(EccKind::decode, 1024, 41);
  for (EccJob* j : {&clean, &at_limit, &beyond}) engine.accept(*j, 0);
  CHECK_FALSE(clean.uncorrectable);
  CHECK_FALSE(at_limit.uncorrectable);
  CHECK(at_limit.corrected_bits == 40);
  CHECK(beyond.uncorrectable);
  CHECK(beyond.corrected_bits == 0);
  CHECK(engine.counters().decoded_pages == 3);
  CHECK(engine.counters().corrected_bits == 40);
  CHECK(engine.counters().failed_decodes == 1);
  CHECK(engine.counters().encoded_pages == 0);
}

// A coder whose codewords need the given numbers of iterations.
class GivenIterations final : public PageCoder {
 public:
  explicit GivenIterations(std::vector<double> iterations) : iterations_(std::move(iterations)) {}
  void encode(EccJob&) override {}
  Decoded decode(EccJob&) override { return {iterations_, 0}; }

 private:
  std::vector<double> iterations_;
};

// Makes an engine with a clock of 2 ns, which needs 100 ns for each codeword and 400 ns for each iteration.
EccEngine make_iterating(std::vector<double> iterations, std::uint32_t fifo_pages = 0) {
  EccParameters p = parameters();
  p.decode_time = DecodeTime::iterations;
  p.clock_mhz = 500;
  p.codeword_cycles = 50;
  p.iteration_cycles = 200;
  p.decode_fifo_pages = fifo_pages;
  return {p, std::make_unique<GivenIterations>(std::move(iterations))};
}

TEST_CASE("a job without a codeword is done exactly when it arrives") {
  EccEngine engine = make_iterating({});
  EccJob j = job(EccKind::decode, 0);
  CHECK(engine.accept(j, 5 * us) == 5 * us);
  CHECK(engine.accept(j, 9 * us) == 9 * us);
}

TEST_CASE("a codeword takes its cycles and those of its iterations") {
  EccJob j = job(EccKind::decode, 4096);
  for (const double iterations : {0.0, 1.0, 3.5}) {
    EccEngine engine = make_iterating({iterations});
    // The latency and throughput parameters belong to the other decode times and have no effect here.
    CHECK(engine.accept(j, us) == us + 100 * ns + static_cast<Tick>(iterations * 400) * ns);
  }
  EccEngine engine = make_iterating({0, 1, 3.5, 2});
  CHECK(engine.accept(j, us) == us + (4 * 100 + 2600) * ns);
  CHECK(engine.counters().decoded_codewords == 4);
  CHECK(engine.counters().iterations == 6.5);
}

TEST_CASE("codewords are decoded while later ones arrive") {
  EccJob j = job(EccKind::decode, 4096);
  // The codewords of the page arrive at 7, 8, 9 and 10 us.
  j.transfer_time = 4 * us;
  SECTION("faster than they arrive: only the last one remains") {
    EccEngine engine = make_iterating({1, 1, 1, 1});
    CHECK(engine.accept(j, 10 * us) == 10 * us + 500 * ns);
  }
  SECTION("slower than they arrive: without a pause from the first one on") {
    EccEngine engine = make_iterating({5, 5, 5, 5});
    CHECK(engine.accept(j, 10 * us) == 7 * us + 4 * 2100 * ns);
  }
  SECTION("a hard codeword delays the later ones") {
    EccEngine engine = make_iterating({0, 6, 1, 0});
    CHECK(engine.accept(j, 10 * us) == 8 * us + (2500 + 500 + 100) * ns);
  }
  SECTION("no sooner than the job arrives") {
    EccEngine engine = make_iterating({0, 0, 0, 0});
    CHECK(engine.accept(j, 10 * us) == 10 * us + 100 * ns);
    EccParameters p = parameters();
    p.decode_time = DecodeTime::iterations;
    p.codeword_cycles = 0;
    EccEngine instant(p, std::make_unique<GivenIterations>(std::vector<double>{0, 0}));
    CHECK(instant.accept(j, 10 * us) == 10 * us);
  }
}

TEST_CASE("iterations of a job start when the previous job is done") {
  EccJob j = job(EccKind::decode, 4096);
  j.transfer_time = 4 * us;
  EccEngine engine = make_iterating({5, 5, 5, 5});
  CHECK(engine.accept(j, 10 * us) == 15 * us + 400 * ns);
  CHECK(engine.accept(j, 14 * us) == 15 * us + 400 * ns + 4 * 2100 * ns);
}

TEST_CASE("a FIFO has room once its oldest job has left") {
  EccParameters p = parameters();
  p.decode_fifo_pages = 2;
  EccEngine engine = make_engine(p);
  EccJob j = job(EccKind::decode, 8000);  // 8 us in the decoder
  for (Tick k = 0; k < 2; ++k) {
    CHECK(engine.room(EccKind::decode, 0) == 0);
    engine.accept(j, 0);
  }
  CHECK(engine.room(EccKind::decode, 0) == 8 * us);
  CHECK(engine.room(EccKind::decode, 8 * us - 1) == 8 * us);
  CHECK(engine.counters().waits == 2);
  CHECK(engine.room(EccKind::encode, 0) == 0);  // the encoder has a separate FIFO, which is unlimited here
  CHECK(engine.room(EccKind::decode, 8 * us) == 8 * us);
  engine.accept(j, 8 * us);
  CHECK(engine.room(EccKind::decode, 9 * us) == 16 * us);
  CHECK(engine.counters().waits == 3);

  EccEngine iterating = make_iterating({5, 5}, 1);
  iterating.accept(j, 0);
  CHECK(iterating.room(EccKind::decode, 0) == 4200 * ns);
}

TEST_CASE("an engine decodes its own encoding, scrambled or not, page or part") {
  for (const bool scrambled : {false, true}) {
    EccEngine engine = make_engine();
    std::vector<std::byte> page(4096, std::byte{0x5a});
    const std::vector<std::byte> plain = page;
    EccJob j = job(EccKind::encode, 4096);
    j.data = page.data();
    j.scrambled = scrambled;
    j.scrambler_seed = 77;
    engine.accept(j, 0);
    CHECK((page == plain) == !scrambled);
    const std::vector<std::byte> on_flash = page;
    EccJob part = j;
    part.kind = EccKind::decode;
    part.first_byte = 1024;
    part.bytes = 2048;
    engine.accept(part, 0);
    CHECK(std::equal(page.begin() + 1024, page.begin() + 3072, plain.begin()));
    CHECK(std::equal(page.begin() + 3072, page.end(), on_flash.begin() + 3072));
    CHECK(std::equal(page.begin(), page.begin() + 1024, on_flash.begin()));
  }
}

// Returns BCH codes for 4 KiB and for its halves, quarters and eighths, with the decoding times of Sha et al., Table
// III.
std::vector<PageCode> segment_codes() {
  std::vector<PageCode> codes;
  std::uint32_t bytes = 4096;
  for (const double us_of_codeword : {41.2, 21.71, 11.25, 5.78}) {
    CodeParameters p = parameters();
    p.codeword_bytes = bytes;
    p.decode_time = DecodeTime::codewords;
    p.t_codeword_us = us_of_codeword;
    codes.push_back({.parameters = p});
    bytes /= 2;
  }
  return codes;
}

TEST_CASE("codewords of each code take their own time, and overlap with the transfer of later ones") {
  const std::vector<PageCode> codes = segment_codes();
  const std::vector<Tick> of_codeword = {41'200 * ns, 21'710 * ns, 11'250 * ns, 5'780 * ns};
  for (CodeNumber code = 0; code < codes.size(); ++code) {
    EccEngine engine(codes, codes[0].parameters, std::make_unique<ThresholdCoder>(std::vector<std::uint32_t>(4, 40)));
    EccJob j = job(EccKind::decode, 4096);
    j.code = code;
    const Tick segments = Tick{1} << code;
    SECTION("slow transfer, all but the last codeword are decoded by its end: code " + std::to_string(code)) {
      j.transfer_time = 96 * us;
      CHECK(engine.accept(j, 100 * us) == 100 * us + of_codeword[code]);
    }
    SECTION("instant transfer, codewords are decoded one after the other: code " + std::to_string(code)) {
      CHECK(engine.accept(j, 100 * us) == 100 * us + segments * of_codeword[code]);
    }
    SECTION("the decoder is the same for all codes: code " + std::to_string(code)) {
      EccJob before = job(EccKind::decode, 4096);
      engine.accept(before, 100 * us);
      CHECK(engine.accept(j, 100 * us) == 100 * us + of_codeword[0] + segments * of_codeword[code]);
    }
  }
}

TEST_CASE("each code corrects its own number of errors, counted over whole codewords") {
  const std::vector<PageCode> codes = segment_codes();
  const auto decode = [&](CodeNumber code, const std::vector<std::uint16_t>& eighths) {
    EccEngine engine(codes, codes[0].parameters,
                     std::make_unique<ThresholdCoder>(std::vector<std::uint32_t>{55, 29, 16, 9}));
    EccJob j = job(EccKind::decode, 4096);
    j.code = code;
    j.codeword_errors = eighths;
    j.worst_codeword_errors = *std::ranges::max_element(eighths);  // counted by the die
    engine.accept(j, us);
    CHECK(engine.counters(code).decoded_pages == 1);
    return j;
  };
  const std::vector<std::uint16_t> even = {7, 6, 7, 7, 7, 7, 6, 7};
  for (const CodeNumber code : {0, 1, 2, 3}) CHECK_FALSE(decode(code, even).uncorrectable);
  CHECK(decode(0, even).worst_codeword_errors == 54);
  CHECK(decode(1, even).worst_codeword_errors == 27);
  CHECK(decode(3, even).worst_codeword_errors == 7);
  const std::vector<std::uint16_t> uneven = {8, 7, 0, 0, 0, 10, 0, 4};
  CHECK_FALSE(decode(2, uneven).uncorrectable);
  CHECK(decode(3, uneven).uncorrectable);
  CHECK(decode(1, {9, 9, 9, 9, 0, 0, 0, 0}).uncorrectable);
  CHECK(decode(0, {9, 9, 9, 9, 9, 9, 1, 1}).uncorrectable);
}

TEST_CASE("an encoder of one code does not delay another code, unless they share it") {
  CodeParameters slow = parameters();
  slow.encode_mb_s = 5;
  slow.encode_fifo_pages = 2;
  const std::vector<PageCode> codes = {{.parameters = parameters()}, {.parameters = slow, .engines = 1}};
  const auto engine = [&](std::size_t hardware) {
    return EccEngine(codes, codes[hardware].parameters,
                     std::make_unique<ThresholdCoder>(std::vector<std::uint32_t>{1, 1}));
  };
  EccJob quick = job(EccKind::encode, 8000);
  EccJob lasting = quick;
  lasting.code = 1;
  EccEngine first = engine(0), second = engine(1);
  Tick now = 0;
  // An encoder that is always busy completes pages at its throughput.
  for (Tick k = 0; k < 100; ++k) {
    now = second.room(EccKind::encode, now, 1);
    CHECK(second.accept(lasting, now) == k * 1600 * us + 6 * us);
    CHECK(first.accept(quick, k * 4 * us) == k * 4 * us + 6 * us);
  }
  CHECK(now == 98 * 1600 * us);
  CHECK(second.counters(1).waits == 98);
  CHECK(second.counters(1).encoded_bytes == 800'000);
  CHECK(second.counters(0).encoded_pages == 0);
  // Here both codes share one encoder, so the slow code delays the quick one.
  EccEngine shared = engine(0);
  shared.accept(lasting, 0);
  CHECK(shared.accept(quick, 0) == 1600 * us + 6 * us);
}

TEST_CASE("an encoder with unlimited throughput takes only its latency") {
  EccParameters p = parameters();
  p.encode_mb_s = 0;
  EccEngine engine = make_engine(p);
  for (int k = 0; k < 10; ++k) {
    EccJob j = job(EccKind::encode, 16384);
    CHECK(engine.accept(j, us) == 7 * us);
  }
}

}  // namespace
}  // namespace nandscape::ecc
