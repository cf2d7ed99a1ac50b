// SPDX-License-Identifier: Apache-2.0
// Pages whose codewords are encoded and decoded by several threads.
#include <array>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "ecc/page_coders/bit_true_coder.h"

namespace nandscape::ecc {
namespace {

constexpr std::uint32_t page_bytes = 16384;
constexpr std::uint32_t crc_bits = 16;

// Everything that encoding and decoding a page gives.
struct Outcome {
  std::vector<std::byte> encoded;
  std::vector<std::byte> decoded;
  std::vector<double> iterations;
  std::tuple<bool, std::uint32_t, std::uint32_t, std::uint32_t, double> counts;

  bool operator==(const Outcome&) const = default;
};

// Encodes a random page, and decodes it with up to `most_errors` misread bits in each codeword. With three
// sensing levels, one of four misread bits is read wrongly by all senses.
Outcome outcome_of(const std::string& code_name, std::uint32_t most_errors, std::uint32_t sensing_levels,
                   std::size_t threads, std::uint64_t seed) {
  const Code code = code_named(code_name);
  const std::unique_ptr<Codec> codec = make_codec(code);
  const std::uint32_t room = codec->parity_bytes() + crc_bits / 8;
  const std::uint32_t codewords = page_bytes / codec->payload_bytes();
  const PageLayout layout{page_bytes, codewords * room, codec->payload_bytes(), room, codec->codeword_bits()};
  BitTrueCoder coder(code, layout, crc_bits, std::make_shared<WorkTeam>(threads));

  RandomStream random(seed, "page");
  std::vector<std::byte> page(layout.total_bytes());
  for (std::uint32_t k = 0; k < page_bytes; ++k) page[k] = static_cast<std::byte>(random() & 0xff);
  EccJob job;
  job.kind = EccKind::encode;
  job.bytes = page_bytes;
  job.data = page.data();
  coder.encode(job);
  Outcome outcome;
  outcome.encoded = page;

  std::vector<std::uint8_t> ones(8 * page.size());
  for (std::size_t bit = 0; bit < ones.size(); ++bit) {
    const bool one = (page[bit / 8] >> bit % 8 & std::byte{1}) != std::byte{0};
    ones[bit] = static_cast<std::uint8_t>(one ? sensing_levels : 0);
  }
  std::vector<std::uint16_t> errors(codewords);
  std::vector<bool> flipped(ones.size());
  for (std::uint32_t k = 0; k < codewords; ++k) {
    errors[k] = static_cast<std::uint16_t>(random.below(most_errors + 1));
    for (std::uint32_t e = 0; e < errors[k];) {
      const std::uint32_t at = layout.page_bit(k, static_cast<std::uint32_t>(random.below(layout.codeword_bits)));
      if (flipped[at]) continue;
      flipped[at] = true;
      page[at / 8] ^= std::byte{1} << at % 8;
      const std::uint32_t wrong = e++ % 4 == 0 ? sensing_levels : (sensing_levels + 1) / 2;
      ones[at] = static_cast<std::uint8_t>(ones[at] == 0 ? wrong : sensing_levels - wrong);
    }
  }
  job.kind = EccKind::decode;
  job.codeword_errors = errors;
  job.sensing_levels = static_cast<std::uint8_t>(sensing_levels);
  if (sensing_levels > 1) job.sensed_ones = ones;
  const PageCoder::Decoded decoded = coder.decode(job);
  outcome.decoded = page;
  outcome.iterations.assign(decoded.iterations.begin(), decoded.iterations.end());
  outcome.counts = {job.uncorrectable, job.corrected_bits, decoded.miscorrected, decoded.crc_detected,
                    decoded.expected_escapes};
  return outcome;
}

}  // namespace

TEST_CASE("codewords of a page are coded alike by one and by several threads") {
  struct Case {
    const char* code;
    std::uint32_t most_errors;
    std::uint32_t sensing_levels;
  };
  // Some of the codewords have more errors than their code corrects. The weak code corrects some of these to wrong
  // data.
  for (const Case& c : std::vector<Case>{{"bch_1024_16", 17, 1},
                                         {"bch_128_3", 4, 1},
                                         {"ldpc_4096_512", 360, 1},
                                         {"ldpc_4096_512", 900, 3},
                                         {"concatenated_4096_24_512", 400, 1}}) {
    std::uint32_t failed_pages = 0;
    std::uint32_t corrected_pages = 0;
    std::uint32_t miscorrected = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Outcome alone = outcome_of(c.code, c.most_errors, c.sensing_levels, 1, seed);
      for (const std::size_t threads : {2, 3, 5}) {
        CAPTURE(c.code, c.sensing_levels, seed, threads);
        REQUIRE(outcome_of(c.code, c.most_errors, c.sensing_levels, threads, seed) == alone);
      }
      const bool failed = std::get<0>(alone.counts);
      failed_pages += failed;
      corrected_pages += !failed && alone.decoded == alone.encoded;
      miscorrected += std::get<2>(alone.counts);
    }
    CAPTURE(c.code, failed_pages, corrected_pages, miscorrected);
    CHECK(failed_pages > 0);
    if (std::string(c.code) == "bch_128_3") {
      CHECK(miscorrected > 0);
    } else {
      CHECK(corrected_pages > 0);
    }
  }
}

}  // namespace nandscape::ecc
