// SPDX-License-Identifier: Apache-2.0
// Tests how often random words are decoded to a codeword. A word is decoded if it is within t bits of a codeword. All
// error patterns of up to t bits have different remainders, so the share of such words is the number of these patterns
// divided by the number of remainders, 2^r.
#include <cmath>

#include "catch.h"
#include "ecc/bch/bch_codec.h"
#include "ecc/codes/miscorrection.h"
#include "unit/ecc/bch/words.h"

namespace nandscape::ecc {
namespace {

TEST_CASE("the share of random words that decode is the share of remainders that error patterns cover") {
  struct Case {
    std::uint32_t payload_bytes, correctable_bits;
  };
  // Codes of almost full length, codes of about half the full length, and a code over a larger field.
  for (const Case& c : {Case{29, 2}, Case{28, 3}, Case{27, 4}, Case{16, 2}, Case{60, 2}, Case{250, 2}}) {
    BchCodec codec(BchCode::get(c.payload_bytes, c.correctable_bits));
    const double expected =
        miscorrected_share(codec.codeword_bits(), codec.codeword_bits() - 8 * c.payload_bytes, c.correctable_bits);
    RandomStream random(9, to_string({"bch", c.payload_bytes, c.correctable_bits, 0}));
    constexpr int words = 20000;
    int decoded = 0;
    for (int i = 0; i < words; ++i) {
      Word word(codec);
      for (std::byte& byte : word.payload) byte = static_cast<std::byte>(random());
      for (std::byte& byte : word.parity) byte = static_cast<std::byte>(random());
      decoded += decode(codec, word).corrected;
    }
    const double sigma = std::sqrt(words * expected * (1 - expected));
    INFO(c.payload_bytes << " bytes, t = " << c.correctable_bits << ": " << decoded << " of " << words << ", expected "
                         << words * expected << " +- " << sigma);
    CHECK(std::abs(decoded - words * expected) < 4.5 * sigma);
    // For a code of full length, the share is about 1 / t!.
    if (codec.codeword_bits() == 248) {
      CHECK(expected == Approx(miscorrected_share(c.correctable_bits)).epsilon(0.15));
    }
  }
}

TEST_CASE("the share of miscorrected words is the number of patterns over the number of remainders") {
  // The (7, 4) code for 1 error and the (23, 12) Golay code for 3 errors are perfect: every word can be decoded.
  CHECK(miscorrected_share(7, 3, 1) == Approx(1));
  CHECK(miscorrected_share(23, 11, 3) == Approx(1));
  CHECK(miscorrected_share(1057, 33, 3) == Approx((1 + 1057.0 * (1 + 1056.0 / 2 * (1 + 1055.0 / 3))) / std::exp2(33)));
  CHECK(miscorrected_share(4) == Approx(1 / 24.0));
  CHECK(miscorrected_share(0) == 1);
  // The number of patterns may exceed the range of a double. It is n^t/t!, times a factor 1 - i/n for each i below t.
  CHECK(std::log(miscorrected_share(32767, 15 * 72, 72) / miscorrected_share(72)) ==
        Approx(-72.0 * 71 / 2 / 32767).epsilon(0.05));
  CHECK(std::log(miscorrected_share(65535, 16 * 150, 150) / miscorrected_share(150)) ==
        Approx(-150.0 * 149 / 2 / 65535).epsilon(0.05));
  CHECK(miscorrected_share(36864, 4096, 256) == 0);
}

// Words with slightly more than t errors are not random words, but should be miscorrected just as often.
TEST_CASE("words with slightly too many errors are miscorrected as often as random ones") {
  BchCodec codec(BchCode::get(128, 3));
  constexpr int words = 20'000;
  const double expected = miscorrected_share(codec.codeword_bits(), codec.codeword_bits() - 1024, 3);
  for (const std::uint32_t errors : {4u, 5u, 8u}) {
    RandomStream random(10, "errors" + std::to_string(errors));
    int miscorrected = 0;
    for (int i = 0; i < words; ++i) {
      Word word(codec);
      for (const std::size_t bit : random_bits(errors, 0, codec.codeword_bits(), random)) word.flip(bit);
      miscorrected += decode(codec, word).corrected;
    }
    CAPTURE(errors, miscorrected);
    CHECK(std::abs(miscorrected - words * expected) < 4.5 * std::sqrt(words * expected));
  }
}

}  // namespace
}  // namespace nandscape::ecc
