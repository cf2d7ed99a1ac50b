// SPDX-License-Identifier: Apache-2.0
// Whether a word at random lies within t bits of a codeword is a matter of counting: of 2^r remainders, as many lead to
// a correction as there are patterns of up to t errors.
#include <cmath>

#include "catch.h"
#include "ecc/bch/bch_codec.h"
#include "unit/ecc/bch/words.h"

namespace nandscape::ecc {
namespace {

double patterns_of_errors(double bits, std::uint32_t most) {
  double patterns = 0, of_this_many = 1;
  for (std::uint32_t errors = 0; errors <= most; ++errors) {
    patterns += of_this_many;
    of_this_many *= (bits - errors) / (errors + 1.0);
  }
  return patterns;
}

TEST_CASE("random words are decoded as often as error patterns cover remainders") {
  struct Case {
    std::uint32_t payload_bytes, correctable_bits;
  };
  // Nearly full length, about half of it, and a larger field.
  for (const Case& c : {Case{29, 2}, Case{28, 3}, Case{27, 4}, Case{16, 2}, Case{60, 2}, Case{250, 2}}) {
    BchCodec codec(BchCode::get(c.payload_bytes, c.correctable_bits));
    const double remainders = std::exp2(8 * c.payload_bytes < codec.codeword_bits()
                                            ? static_cast<double>(codec.codeword_bits() - 8 * c.payload_bytes)
                                            : 0.0);
    const double expected = patterns_of_errors(codec.codeword_bits(), c.correctable_bits) / remainders;
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
    // About 1 / t! when the code has its full length.
    if (codec.codeword_bits() == 248) {
      CHECK(expected == Approx(1 / std::tgamma(c.correctable_bits + 1.0)).epsilon(0.15));
    }
  }
}

}  // namespace
}  // namespace nandscape::ecc
