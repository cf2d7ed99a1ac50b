// SPDX-License-Identifier: Apache-2.0
#include "ecc/parameters.h"

#include <string>

#include "catch.h"
#include "core/error.h"

namespace nandscape::ecc {
namespace {

using Catch::Matchers::StartsWith;

EccParameters with_code(const std::string& codec, std::uint32_t correctable_bits, std::uint32_t ldpc_parity_bytes = 0) {
  EccParameters p;
  p.decoder.name = "bit_true";
  p.codec.name = codec;
  p.codeword_bytes = 4096;
  p.correctable_bits = correctable_bits;
  p.ldpc_parity_bytes = ldpc_parity_bytes;
  return p;
}

TEST_CASE("a page is a whole number of codewords") {
  EccParameters p;
  p.codeword_bytes = 1024;
  CHECK_NOTHROW(check(p, 4096, 0));
  CHECK_THROWS_WITH(check(p, 4608, 0), StartsWith("ecc.codeword_bytes: a page of 4608 bytes"));
}

TEST_CASE("the check that parity fits into the spare bytes is exact to the byte") {
  // The code corrects 55 errors, and needs 16 bits of parity for each of them, which is 110 bytes.
  EccParameters bch = with_code("bch", 55);
  bch.crc_bits = 0;
  CHECK_NOTHROW(check(bch, 16384, 4 * 110));
  CHECK_THROWS_WITH(check(bch, 16384, 4 * 110 - 1),
                    StartsWith("ecc.codec: ") &&
                        ContainsSubstring("4 codewords of a page (bch_4096_55) need 440 bytes") &&
                        ContainsSubstring("nand.geometry.spare_bytes is 439"));
  EccParameters both = with_code("concatenated", 24, 512);
  both.crc_bits = 0;
  CHECK_NOTHROW(check(both, 8192, 2 * (48 + 512)));
  CHECK_THROWS_AS(check(both, 8192, 2 * (48 + 512) - 1), ConfigError);
  // A decoder that only counts errors stores no parity.
  EccParameters threshold = bch;
  threshold.decoder.name = "threshold";
  CHECK_NOTHROW(check(threshold, 16384, 0));
}

TEST_CASE("CRCs fit into the spare bytes behind the parity") {
  EccParameters p = with_code("bch", 55);
  for (const std::uint32_t bits : {16u, 32u, 64u}) {
    p.crc_bits = bits;
    CHECK_NOTHROW(check(p, 16384, 4 * (110 + bits / 8)));
    CHECK_THROWS_WITH(
        check(p, 16384, 4 * (110 + bits / 8) - 1),
        StartsWith("ecc.codec: ") &&
            ContainsSubstring("need 440 bytes for parity and " + std::to_string(bits / 2) + " for CRCs") &&
            ContainsSubstring("set ecc.crc_bits to " + std::to_string(bits == 16 ? 0 : bits / 2) + ", take"));
  }
  p.crc_bits = 24;
  CHECK_THROWS_WITH(check(p, 16384, 4096), StartsWith("ecc.crc_bits: is 24") && ContainsSubstring("16, 32 or 64"));
  // The decoder `steps` models no miscorrections, so it needs no CRC. The decoder `threshold` has no code, so it uses
  // no spare bytes.
  p.crc_bits = 64;
  p.decoder.name = "steps";
  CHECK(crc_bits_of(p) == 0);
  CHECK_NOTHROW(check(p, 16384, 4 * 110));
  p.decoder.name = "threshold";
  CHECK(crc_bits_of(p) == 64);
  CHECK_NOTHROW(check(p, 16384, 0));
}

TEST_CASE("an error about a nonexistent code lists the existing ones") {
  CHECK_THROWS_WITH(check(with_code("ldpc", 0, 100), 16384, 4096),
                    StartsWith("ecc.codec: there is no LDPC code") && ContainsSubstring("4096 with 256"));
  CHECK_THROWS_WITH(check(with_code("bch", 0), 16384, 4096), ContainsSubstring("at least one error"));
}

TEST_CASE("decoders that count iterations can derive their time from them") {
  for (const std::string decoder : {"table", "bit_true"}) {
    EccParameters iterating = with_code("bch", 55);
    iterating.decoder.name = decoder;
    iterating.decode_time = DecodeTime::iterations;
    CHECK_NOTHROW(check(iterating, 4096, 114));
  }
}

TEST_CASE("a real code lays out its parity, a threshold shares all spare bytes") {
  EccParameters p = with_code("bch", 55);
  const PageLayout real = page_layout(p, 16384, 1000);
  CHECK(real.parity_bytes == 110 + 4);  // with the CRC
  CHECK(real.codeword_bits == 8 * 4096 + 880);
  p.decoder.name = "threshold";
  const PageLayout shared = page_layout(p, 16384, 1000);
  CHECK(shared.parity_bytes == 250);
  CHECK(shared.codeword_bits == 8 * 4096 + 2000);
}

}  // namespace
}  // namespace nandscape::ecc
