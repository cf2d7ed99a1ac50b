// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/random/binomial_distribution.hpp>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "ecc/codes/miscorrection.h"
#include "ecc/codes/sensing_channel.h"
#include "ecc/page_coders/bit_true_coder.h"
#include "ecc/page_coders/step_coder.h"
#include "ecc/page_coders/table_coder.h"
#include "ecc/page_coders/threshold_coder.h"
#include "unit/ecc/some_table.h"

namespace nandscape::ecc {
namespace {

constexpr std::uint32_t page_bytes = 4096;

struct BitTruePage {
  BitTruePage() {
    RandomStream random(3, "page");
    for (std::uint32_t k = 0; k < page_bytes; ++k) page[k] = static_cast<std::byte>(random() & 0xff);
    EccJob job = whole_page(EccKind::encode);
    coder.encode(job);
    encoded = page;
  }

  EccJob whole_page(EccKind kind) {
    EccJob job;
    job.kind = kind;
    job.bytes = page_bytes;
    job.data = page.data();
    return job;
  }
  // Flips `bits` bits of a codeword, starting at bit `first`. Payload bits come first.
  void flip(std::uint32_t codeword, std::uint32_t first, std::uint32_t bits) {
    for (std::uint32_t bit = first; bit < first + bits; ++bit) {
      const std::uint32_t at = layout.page_bit(codeword, bit);
      page[at / 8] ^= std::byte{1} << at % 8;
    }
  }

  std::unique_ptr<Codec> codec = make_codec(code_named("bch_1024_16"));
  const PageLayout layout{page_bytes, 256, 1024, codec->parity_bytes(), codec->codeword_bits()};
  BitTrueCoder coder{code_named("bch_1024_16"), layout};
  std::vector<std::byte> page = std::vector<std::byte>(page_bytes + 256);
  std::vector<std::byte> encoded;
};

TEST_CASE("each codeword of a page is corrected by its own parity") {
  BitTruePage p;
  p.flip(0, 5, 16);
  p.flip(2, 8 * 1024 - 3, 9);  // payload and parity
  p.flip(3, p.layout.codeword_bits - 1, 1);
  EccJob job = p.whole_page(EccKind::decode);
  const PageCoder::Decoded decoded = p.coder.decode(job);
  CHECK_FALSE(job.uncorrectable);
  CHECK(job.corrected_bits == 26);
  CHECK(p.page == p.encoded);
  CHECK(std::vector(decoded.iterations.begin(), decoded.iterations.end()) == std::vector<double>{1, 0, 1, 1});
}

TEST_CASE("a part of a page is decoded by itself") {
  BitTruePage p;
  p.flip(0, 0, 100);
  p.flip(1, 700, 4);
  EccJob job = p.whole_page(EccKind::decode);
  job.first_byte = 1024;
  job.bytes = 2048;
  CHECK(p.coder.decode(job).iterations.size() == 2);
  CHECK_FALSE(job.uncorrectable);
  CHECK(job.corrected_bits == 4);
  CHECK(std::equal(p.page.begin() + 1024, p.page.begin() + 3072, p.encoded.begin() + 1024));
}

TEST_CASE("a single uncorrectable codeword makes the job uncorrectable") {
  BitTruePage p;
  p.flip(1, 0, 40);
  p.flip(3, 0, 2);
  const std::vector<std::byte> read = p.page;
  EccJob job = p.whole_page(EccKind::decode);
  p.coder.decode(job);
  CHECK(job.uncorrectable);
  CHECK(std::equal(p.page.begin() + 1024, p.page.begin() + 2048, read.begin() + 1024));
  CHECK(std::equal(p.page.begin() + 3072, p.page.begin() + 4096, p.encoded.begin() + 3072));
}

TEST_CASE("a real decoder that stops at a failure leaves the later codewords as they were read") {
  BitTruePage p;
  p.coder.stop_at_failure();
  p.flip(0, 0, 2);
  p.flip(1, 0, 40);
  p.flip(3, 0, 2);
  const std::vector<std::byte> read = p.page;
  EccJob job = p.whole_page(EccKind::decode);
  const PageCoder::Decoded decoded = p.coder.decode(job);
  CHECK(job.uncorrectable);
  CHECK(decoded.codewords == 2);
  CHECK(decoded.iterations.size() == 2);
  CHECK(std::equal(p.page.begin(), p.page.begin() + 1024, p.encoded.begin()));
  CHECK(std::equal(p.page.begin() + 1024, p.page.end(), read.begin() + 1024));
}

TEST_CASE("a decoder of steps that stops at a failure tells the first codeword beyond its step") {
  StepCoder coder({{10, 20}});
  coder.stop_at_failure();
  const std::vector<std::uint16_t> errors = {10, 15, 25, 0};
  EccJob job;
  job.bytes = 4096;
  job.worst_codeword_errors = 25;
  job.codeword_errors = errors;
  CHECK(coder.decode(job).codewords == 2);
  job.sensing_levels = 2;
  CHECK(coder.decode(job).codewords == 3);
  job.worst_codeword_errors = 20;
  CHECK(coder.decode(job).codewords == PageCoder::all_codewords);
}

// If the true number of errors is known, a miscorrection can be detected, because the decoder flips a different number
// of bits.
TEST_CASE("a miscorrected codeword is counted where the true number of errors is known") {
  BitTruePage p;
  const std::vector<std::uint16_t> truth = {0, 23, 0, 0};
  EccJob job = p.whole_page(EccKind::decode);
  p.flip(1, 0, 5);
  job.codeword_errors = truth;
  CHECK(p.coder.decode(job).miscorrected == 1);
}

TEST_CASE("a CRC makes miscorrected codewords fail, and no others") {
  constexpr std::uint32_t payload = 128, errors = 6, pages = 5000;
  const Code code = code_named("bch_128_3");
  const std::unique_ptr<Codec> codec = make_codec(code);
  const PageLayout layout{payload, 64, payload, codec->parity_bytes() + 4, codec->codeword_bits()};
  std::uint64_t miscorrected = 0;
  for (const std::uint32_t crc_bits : {0u, 32u}) {
    BitTrueCoder coder(code, layout, crc_bits);
    RandomStream random(5, "weak code");
    std::uint64_t wrong = 0, detected = 0, counted = 0;
    double to_expect = 0;
    for (std::uint32_t k = 0; k < pages; ++k) {
      std::vector<std::byte> page(payload + 64);
      for (std::uint32_t b = 0; b < payload; ++b) page[b] = static_cast<std::byte>(random() & 0xff);
      EccJob job;
      job.bytes = payload;
      job.data = page.data();
      coder.encode(job);
      const std::vector<std::byte> written = page;
      for (std::uint32_t e = 0; e < errors; ++e) {
        const std::uint32_t at = layout.page_bit(0, e * (layout.codeword_bits / errors) + random.below(100));
        page[at / 8] ^= std::byte{1} << at % 8;
      }
      const std::vector<std::uint16_t> truth = {errors};
      job.codeword_errors = truth;
      const PageCoder::Decoded decoded = coder.decode(job);
      wrong += !job.uncorrectable && !std::equal(page.begin(), page.begin() + payload, written.begin());
      detected += decoded.crc_detected;
      counted += decoded.miscorrected;
      to_expect += decoded.expected_escapes;
    }
    const double expected = pages * miscorrected_share(1057, 33, 3);
    CHECK(std::abs(static_cast<double>(counted) - expected) < 4 * std::sqrt(expected));
    CHECK(wrong == (crc_bits == 0 ? counted : 0));
    CHECK(detected == (crc_bits == 0 ? 0 : counted));
    CHECK(to_expect == static_cast<double>(counted) * std::exp2(-static_cast<double>(crc_bits)));
    if (crc_bits == 0) miscorrected = counted;
    CHECK(counted == miscorrected);
  }
}

TEST_CASE("a table gives failure rates and iterations of codewords") {
  const auto table = some_table();
  TableCoder coder({table}, 4, 7, "ecc_0");
  const std::vector<std::uint16_t> errors = {0, 25, 110, 0};
  constexpr int pages = 20'000;
  int failed = 0;
  double iterations = 0;
  for (int k = 0; k < pages; ++k) {
    EccJob job;
    job.bytes = 16384;
    job.raw_bit_errors = 135;
    job.codeword_errors = errors;
    const PageCoder::Decoded decoded = coder.decode(job);
    failed += job.uncorrectable;
    CHECK(job.corrected_bits == (job.uncorrectable ? 0 : 135));
    for (const double i : decoded.iterations) iterations += i;
  }
  const double expected = table->failure_probability(1, 110);
  CHECK(expected > 0.1);
  CHECK(std::abs(failed - pages * expected) < 4 * std::sqrt(pages * expected * (1 - expected)));
  CHECK(iterations / pages == Approx(1 + 1.5 + 3.2 + 1));
}

TEST_CASE("codewords without error counts are assumed to have as many errors as the worst") {
  TableCoder coder({some_table()}, 4, 7, "ecc_0");
  EccJob job;
  job.bytes = 12288;
  CHECK(coder.decode(job).iterations.size() == 3);
  CHECK_FALSE(job.uncorrectable);
  job.worst_codeword_errors = 1 << 20;
  CHECK(coder.decode(job).iterations.size() == 3);
  CHECK(job.uncorrectable);
}

TEST_CASE("miscorrected codewords of a table escape when their CRC matches") {
  CodeMeasurement measurement = some_table()->measurement();
  // From 200 errors on, all codewords fail. The decoder reports success for three quarters of those with 200 errors,
  // and for one quarter of those with 300 errors.
  measurement.by_levels[1][200].miscorrections = 7500;
  measurement.by_levels[1][300].miscorrections = 2500;
  const auto table = std::make_shared<CodeTable>(measurement);
  CHECK(table->miscorrected_share(1, 200, 0) == Approx(0.75));
  for (const std::uint32_t crc_bits : {0u, 1u, 3u, 32u}) {
    CAPTURE(crc_bits);
    TableCoder coder({table}, 1, 7, "ecc_0", crc_bits);
    constexpr int codewords = 100'000;
    const std::vector<std::uint16_t> errors = {200};
    int miscorrected = 0, detected = 0, good = 0;
    double to_expect = 0;
    for (int k = 0; k < codewords; ++k) {
      EccJob job;
      job.bytes = 4096;
      job.codeword_errors = errors;
      const PageCoder::Decoded decoded = coder.decode(job);
      miscorrected += static_cast<int>(decoded.miscorrected);
      detected += static_cast<int>(decoded.crc_detected);
      good += !job.uncorrectable;
      to_expect += decoded.expected_escapes;
    }
    const double escaping = 0.75 * std::exp2(-static_cast<double>(crc_bits));
    CHECK(to_expect == Approx(escaping * codewords));
    CHECK(good == miscorrected - detected);
    CHECK(std::abs(miscorrected - 0.75 * codewords) < 4 * std::sqrt(codewords * 0.75 * 0.25));
    CHECK(std::abs(good - escaping * codewords) <= 4 * std::sqrt(codewords * escaping * (1 - escaping)) + 0.01);
  }
}

TEST_CASE("a table gives the failure rates of soft reads by their sensing levels") {
  const auto table = some_table();
  const std::vector<std::uint16_t> errors = {210};
  double before = 1;
  for (std::uint8_t levels = 1; levels <= 7; ++levels) {
    TableCoder coder({table}, 1, 7, "ecc_0");
    constexpr int codewords = 20'000;
    int failed = 0;
    double iterations = 0;
    for (int k = 0; k < codewords; ++k) {
      EccJob job;
      job.bytes = 4096;
      job.sensing_levels = levels;
      job.codeword_errors = errors;
      iterations += coder.decode(job).iterations.front();
      failed += job.uncorrectable;
    }
    // If a number of levels was not measured, the measurement for the next lower number is used.
    const double expected = table->failure_probability(levels < 3 ? 1 : 3, 210);
    CAPTURE(int{levels}, expected);
    CHECK(std::abs(failed - codewords * expected) <= 4 * std::sqrt(codewords * expected * (1 - expected)));
    CHECK(iterations / codewords == Approx(levels < 3 ? 5.2 : 3.0));
    CHECK(expected <= before);
    before = expected;
  }
  CHECK(before < 0.6);
}

TEST_CASE("codewords of each code fail at the rate of its own table") {
  const auto never = [] {
    CodeMeasurement measurement = some_table()->measurement();
    for (auto& [levels, counts] : measurement.by_levels) {
      for (auto& [errors, frames] : counts) frames.failures = 0;
    }
    return std::make_shared<CodeTable>(measurement);
  }();
  TableCoder coder({some_table(), never, never}, 1, 7, "ecc_0");
  const std::vector<std::uint16_t> errors = {110};
  const auto failures = [&](CodeNumber code) {
    int failed = 0;
    for (int k = 0; k < 1000; ++k) {
      EccJob job;
      job.bytes = 4096;
      job.code = code;
      job.codeword_errors = errors;
      coder.decode(job);
      failed += job.uncorrectable;
    }
    return failed;
  };
  CHECK(failures(0) > 50);
  CHECK(failures(1) == 0);
  CHECK(failures(2) == 0);
}

TEST_CASE("codewords of soft reads fail at the frame error rate for their RBER") {
  CodeMeasurement measurement = some_table()->measurement();
  measurement.by_levels[3].clear();
  for (std::uint32_t errors = 0; errors <= 400; errors += 10) {
    const std::uint64_t failures = errors < 200 ? 0 : errors < 300 ? 100 * (errors - 200) : 10'000;
    measurement.by_levels[3][errors] = {10'000, failures, 0, 30'000, 0};
  }
  // Codewords with 260 errors, read on the channel for 200 errors, fail as often as codewords with 230 errors that are
  // read on the channel for 230 errors.
  measurement.off_channel[3] = {260, 200, {10'000, 3000, 0, 30'000, 0}};
  const auto table = std::make_shared<CodeTable>(measurement);
  REQUIRE(table->channel_share(3) == Approx(0.5).epsilon(0.05));
  RandomStream random(11, "errors");
  for (const double rber : {0.0050, 0.0053}) {
    TableCoder coder({table}, 1, 7, "ecc_0");
    constexpr int codewords = 20'000;
    boost::random::binomial_distribution<std::int32_t, double> errors_of(36864, rber);
    int failed = 0;
    for (int k = 0; k < codewords; ++k) {
      const auto errors = static_cast<std::uint16_t>(errors_of(random));
      EccJob job;
      job.bytes = 4096;
      job.sensing_levels = 3;
      job.misread_probability = rber;
      job.codeword_errors = {&errors, 1};
      coder.decode(job);
      failed += job.uncorrectable;
    }
    const double expected = table->frame_error_rate(3, rber).rate;
    CAPTURE(rber, failed, codewords * expected);
    CHECK(std::abs(failed - codewords * expected) < 4 * std::sqrt(codewords * expected * (1 - expected)));
    // Without this correction, codewords would be predicted to fail far more often.
    CHECK(expected < 0.7 * binomial_mean(table->curve(3).rate, 36864, rber));
  }
}

TEST_CASE("a threshold is the same for soft reads") {
  ThresholdCoder coder(40);
  for (const std::uint32_t errors : {40u, 41u}) {
    for (const std::uint8_t levels : {1, 3, 7}) {
      EccJob job;
      job.worst_codeword_errors = errors;
      job.sensing_levels = levels;
      coder.decode(job);
      CHECK(job.uncorrectable == (errors > 40));
    }
  }
}

TEST_CASE("a threshold expects escapes of failing decodes, from 1/t! of a BCH code and the CRC width") {
  ThresholdCoder coder({3, 10}, 16);
  for (const auto& [code, correctable, factorial] : {std::tuple{0, 3u, 6.0}, std::tuple{1, 10u, 3628800.0}}) {
    EccJob job;
    job.code = static_cast<CodeNumber>(code);
    job.worst_codeword_errors = correctable;
    CHECK(coder.decode(job).expected_escapes == 0);
    job.worst_codeword_errors = correctable + 1;
    CHECK(coder.decode(job).expected_escapes == Approx(1 / factorial / 65536));
    CHECK(job.uncorrectable);
  }
}

// Pages with two codewords of ldpc_2048_128. Hard decoding of this code fails from about 55 errors on.
struct SoftPage {
  static PageLayout layout_of(const Codec& codec) {
    return {page_bytes, 256, 2048, codec.parity_bytes(), codec.codeword_bits()};
  }
  SoftPage() {
    for (std::uint32_t k = 0; k < page_bytes; ++k) page[k] = static_cast<std::byte>(random() & 0xff);
    EccJob job;
    job.kind = EccKind::encode;
    job.bytes = page_bytes;
    job.data = page.data();
    coder.encode(job);
    encoded = page;
  }

  // Soft-reads a codeword with the given number of errors, decodes it, and returns the job.
  EccJob read(std::uint32_t codeword, std::uint16_t errors, std::uint8_t levels) {
    const SensingChannel channel(errors / static_cast<double>(layout.codeword_bits), levels);
    std::vector<bool> wrong(layout.codeword_bits);
    for (std::uint32_t drawn = 0; drawn < errors;) {
      const std::uint64_t bit = random.below(wrong.size());
      if (wrong[bit]) continue;
      wrong[bit] = true;
      ++drawn;
    }
    std::vector<std::uint8_t> ones(8 * page.size());
    for (std::uint32_t bit = 0; bit < layout.codeword_bits; ++bit) {
      const std::uint32_t at = layout.page_bit(codeword, bit);
      const bool written = (std::to_integer<unsigned>(encoded[at / 8]) >> at % 8 & 1) != 0;
      if (wrong[bit]) page[at / 8] ^= std::byte{1} << at % 8;
      ones[at] = static_cast<std::uint8_t>(levels - channel.sample(written, wrong[bit], random.uniform()));
    }
    EccJob job;
    job.data = page.data();
    job.first_byte = 2048 * codeword;
    job.bytes = 2048;
    job.sensing_levels = levels;
    job.sensed_ones = ones;
    job.codeword_errors = {&errors, 1};
    coder.decode(job);
    return job;
  }

  RandomStream random{3, "page"};
  std::unique_ptr<Codec> codec = make_codec(code_named("ldpc_2048_128"));
  const PageLayout layout = layout_of(*codec);
  BitTrueCoder coder{code_named("ldpc_2048_128"), layout};
  std::vector<std::byte> page = std::vector<std::byte>(page_bytes + 256);
  std::vector<std::byte> encoded;
};

TEST_CASE("a step depends on code and sensing levels, and the last one applies to all higher levels") {
  StepCoder coder({{10, 20}, {5, 8}});
  const auto corrects = [&](CodeNumber code, std::uint8_t levels, std::uint32_t errors) {
    EccJob job;
    job.code = code;
    job.sensing_levels = levels;
    job.worst_codeword_errors = errors;
    job.raw_bit_errors = errors + 3;
    coder.decode(job);
    CHECK(job.corrected_bits == (job.uncorrectable ? 0 : errors + 3));
    return !job.uncorrectable;
  };
  CHECK(corrects(0, 1, 10));
  CHECK_FALSE(corrects(0, 1, 11));
  CHECK(corrects(0, 2, 20));
  CHECK_FALSE(corrects(0, 2, 21));
  CHECK(corrects(0, 7, 20));
  CHECK_FALSE(corrects(0, 7, 21));
  CHECK(corrects(1, 1, 5));
  CHECK_FALSE(corrects(1, 1, 6));
  CHECK_FALSE(corrects(1, 3, 9));
}

TEST_CASE("a real decoder corrects soft reads where hard reads fail") {
  SoftPage p;
  for (std::uint32_t k = 0; k < 20; ++k) {
    CAPTURE(k);
    CHECK(p.read(k % 2, 85, 1).uncorrectable);
    p.page = p.encoded;
    const EccJob soft = p.read(k % 2, 85, 3);
    CHECK_FALSE(soft.uncorrectable);
    CHECK(soft.corrected_bits == 85);
    CHECK(p.page == p.encoded);
  }
}

TEST_CASE("a soft decode without sensed bits is refused") {
  SoftPage p;
  EccJob job;
  job.data = p.page.data();
  job.bytes = page_bytes;
  job.sensing_levels = 2;
  CHECK_THROWS_AS(p.coder.decode(job), std::logic_error);
}

}  // namespace
}  // namespace nandscape::ecc
