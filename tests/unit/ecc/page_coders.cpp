// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "ecc/page_coders/bit_true_coder.h"
#include "ecc/page_coders/table_coder.h"

namespace nandscape {
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
  // The first bits of a codeword, payload first.
  void flip(std::uint32_t codeword, std::uint32_t first, std::uint32_t bits) {
    for (std::uint32_t bit = first; bit < first + bits; ++bit) {
      const std::uint32_t at = layout.page_bit(codeword, bit);
      page[at / 8] ^= std::byte{1} << at % 8;
    }
  }

  std::unique_ptr<Codec> codec = make_codec(code_named("bch_1024_16"));
  const PageLayout layout{page_bytes, 256, 1024, codec->parity_bytes(), codec->codeword_bits()};
  BitTrueCoder coder{make_codec(code_named("bch_1024_16")), layout};
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

TEST_CASE("one codeword too many errors make the job uncorrectable") {
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

// What decodes to another codeword than the one that was written: the number of flipped bits gives it away.
TEST_CASE("a miscorrected codeword is counted where the truth is known") {
  BitTruePage p;
  const std::vector<std::uint16_t> truth = {0, 23, 0, 0};
  EccJob job = p.whole_page(EccKind::decode);
  p.flip(1, 0, 5);
  job.codeword_errors = truth;
  CHECK(p.coder.decode(job).miscorrected == 1);
}

// A table in which codewords fail as a rule between 100 and 200 errors, and take an iteration more for each 50 errors.
std::shared_ptr<const CodeTable> some_table() {
  CodeMeasurement measurement;
  measurement.code = code_named("ldpc_4096_512");
  measurement.payload_bytes = 4096;
  measurement.codeword_bits = 36864;
  FramesByErrors& hard = measurement.by_levels[1];
  for (std::uint32_t errors = 0; errors <= 300; errors += 50) {
    const std::uint64_t failures = errors < 100 ? 0 : errors < 200 ? 5000 : 10'000;
    hard[errors] = {10'000, failures, 0, (1 + errors / 50) * 10'000, 0};
  }
  return std::make_shared<CodeTable>(measurement);
}

TEST_CASE("a table says how often codewords fail and how long they take") {
  const auto table = some_table();
  TableCoder coder(table, 4, 7, "ecc_0");
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

}  // namespace
}  // namespace nandscape
