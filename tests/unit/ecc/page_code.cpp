// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_code.h"

#include <algorithm>
#include <vector>

#include "catch.h"
#include "ecc/page_coders/bit_true_coder.h"
#include "protocol/ecc_job.h"

namespace nandscape::ecc {
namespace {

CodeParameters bch(std::uint32_t codeword_bytes, std::uint32_t correctable_bits) {
  CodeParameters p;
  p.codeword_bytes = codeword_bytes;
  p.correctable_bits = correctable_bits;
  return p;
}

CodeParameters ldpc(std::uint32_t codeword_bytes, std::uint32_t parity_bytes) {
  CodeParameters p;
  p.codec.name = "ldpc";
  p.codeword_bytes = codeword_bytes;
  p.ldpc_parity_bytes = parity_bytes;
  return p;
}

// Returns BCH codes for the whole page and for its parts [Sha, Table III and figure 12].
std::vector<PageCode> segment_codes() {
  return {{.parameters = bch(4096, 55)}, {.parameters = bch(2048, 29)}, {.parameters = bch(1024, 16)},
          {.parameters = bch(512, 9)},   {.parameters = bch(256, 5)},   {.parameters = bch(128, 3)}};
}

// Returns ECC parameters for stored codewords with CRCs of the given width.
EccParameters drive_with(std::uint32_t crc_bits) {
  EccParameters p;
  p.decoder.name = "bit_true";
  p.crc_bits = crc_bits;
  return p;
}

TEST_CASE("the layout of a single code is the same with and without joining") {
  EccParameters p;
  static_cast<CodeParameters&>(p) = bch(1024, 72);
  for (const char* decoder : {"table", "threshold"}) {
    p.decoder.name = decoder;
    std::vector<PageCode> codes = {{.parameters = p}};
    const PageLayout counted = join_layouts(codes, p, 16384, 2208);
    const PageLayout alone = page_layout(p, 16384, 2208);
    for (const PageLayout& layout : {counted, codes[0].layout}) {
      CHECK(layout.codeword_bytes == alone.codeword_bytes);
      CHECK(layout.parity_bytes == alone.parity_bytes);
      CHECK(layout.codeword_bits == alone.codeword_bits);
      CHECK(layout.total_bytes() == alone.total_bytes());
    }
  }
}

TEST_CASE("errors are counted in the shortest codewords, several of which make up a longer one with its parity") {
  std::vector<PageCode> codes = segment_codes();
  codes.push_back({.parameters = ldpc(4096, 512)});
  const PageLayout counted = join_layouts(codes, drive_with(16), 4096, 576);
  CHECK(counted.codeword_bytes == 128);
  CHECK(counted.parity_bytes == 16 + 2);  // the LDPC code needs the most parity
  CHECK(counted.codeword_bits == 8 * (128 + 16));
  for (const PageCode& code : codes) {
    const std::uint32_t pieces = code.layout.codeword_bytes / 128;
    CHECK(code.layout.codewords() * pieces == counted.codewords());
    for (std::uint32_t k = 0; k < code.layout.codewords(); ++k) {
      CHECK(code.layout.payload_byte(k) == counted.payload_byte(k * pieces));
      CHECK(code.layout.parity_byte(k) == counted.parity_byte(k * pieces));
      // The last bit of the codeword must be stored in the parity area of its last piece.
      const std::uint32_t last = code.layout.page_bit(k, code.layout.codeword_bits - 1);
      CHECK(last < 8 * (counted.parity_byte((k + 1) * pieces) - 2));
    }
  }
}

TEST_CASE("pages of all codes decode from the same spare bytes") {
  std::vector<PageCode> codes = segment_codes();
  const PageLayout counted = join_layouts(codes, drive_with(32), 4096, 672);
  BitTrueCoder coder(coder_codes(codes), 32, std::make_shared<WorkTeam>());
  for (CodeNumber number = 0; number < codes.size(); ++number) {
    std::vector<std::byte> page(4096 + 672, std::byte{0xee});
    for (std::size_t k = 0; k < 4096; ++k) page[k] = static_cast<std::byte>(k * 37 + number);
    EccJob job;
    job.code = number;
    job.bytes = 4096;
    job.data = page.data();
    coder.encode(job);
    const std::vector<std::byte> encoded = page;
    // Adds as many errors to each codeword as its code corrects, both in the payload and in the parity.
    const PageLayout& layout = codes[number].layout;
    const std::uint32_t errors = codes[number].parameters.correctable_bits;
    for (std::uint32_t k = 0; k < layout.codewords(); ++k) {
      for (std::uint32_t e = 0; e < errors; ++e) {
        const std::uint32_t at = layout.page_bit(k, layout.codeword_bits - 1 - e * 7);
        page[at / 8] ^= std::byte{1} << at % 8;
      }
    }
    job.kind = EccKind::decode;
    coder.decode(job);
    CHECK_FALSE(job.uncorrectable);
    CHECK(job.corrected_bits == errors * layout.codewords());
    CHECK(page == encoded);
    // The bytes after the parity and the CRCs must not be changed.
    CHECK(std::all_of(page.begin() + counted.parity_byte(counted.codewords()), page.end(),
                      [](std::byte b) { return b == std::byte{0xee}; }));
  }
}

}  // namespace
}  // namespace nandscape::ecc
