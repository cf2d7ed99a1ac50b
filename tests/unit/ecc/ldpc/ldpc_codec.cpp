// SPDX-License-Identifier: Apache-2.0
#include "ecc/ldpc/ldpc_codec.h"

#include <algorithm>
#include <stdexcept>

#include "catch.h"
#include "ldpc_kernels/by_isa.h"
#include "unit/ecc/ldpc/noisy_codeword.h"

namespace nandscape::ecc {
namespace {

struct Size {
  std::uint32_t payload;
  std::uint32_t parity;
  std::uint32_t half_of_waterfall;  // a number of errors that the decoder always corrects
};
// Code sizes of the tests. 4144 bytes are 4096 bytes plus the parity of a BCH code for 24 bits. 4000 and 1001 bytes are
// shortened codes that end within a column of the base matrix.
constexpr Size sizes[] = {{4096, 576, 170}, {4096, 544, 160}, {4096, 512, 150}, {4096, 480, 138},
                          {4096, 448, 125}, {4096, 256, 56},  {2048, 256, 70},  {2048, 128, 25},
                          {4144, 512, 150}, {4000, 512, 140}, {1001, 128, 25}};

// Computes all check sums bit by bit from the definition of the matrix, and returns whether all of them are 0.
bool all_checks_hold(const ldpc::BaseMatrix& matrix, const StoredCodeword& codeword) {
  const std::uint32_t payload_bits = static_cast<std::uint32_t>(8 * codeword.payload.size());
  std::vector<bool> sums(matrix.rows * matrix.lifting);
  for (const ldpc::Block& block : matrix.blocks) {
    for (std::uint32_t r = 0; r < matrix.lifting; ++r) {
      const std::uint32_t in_column = (r + block.shift) % matrix.lifting;
      const bool of_parity = block.column >= matrix.information_columns;
      const std::uint32_t bit = block.column * matrix.lifting + in_column;
      if (!of_parity && bit >= payload_bits) continue;
      const bool value =
          codeword.bit(of_parity ? bit - matrix.information_columns * matrix.lifting + payload_bits : bit);
      sums[block.row * matrix.lifting + r] = sums[block.row * matrix.lifting + r] != value;
    }
  }
  return std::none_of(sums.begin(), sums.end(), [](bool sum) { return sum; });
}

const ldpc::BaseMatrix& matrix_for(const Size& size) {
  const ldpc::BaseMatrix* smallest = nullptr;
  for (const ldpc::BaseMatrix& matrix : ldpc::base_matrices()) {
    if (matrix.parity_bytes() != size.parity || matrix.information_bytes() < size.payload) continue;
    if (smallest == nullptr || matrix.information_bytes() < smallest->information_bytes()) smallest = &matrix;
  }
  REQUIRE(smallest != nullptr);
  return *smallest;
}

TEST_CASE("LDPC parity satisfies all checks") {
  RandomStream random(1, "encode");
  for (const Size& size : sizes) {
    INFO(size.payload << " bytes with " << size.parity);
    LdpcCodec codec(LdpcCode::of(size.payload, size.parity));
    CHECK(codec.payload_bytes() == size.payload);
    CHECK(codec.parity_bytes() == size.parity);
    CHECK(codec.codeword_bits() == 8 * (size.payload + size.parity));
    for (int i = 0; i < 3; ++i) CHECK(all_checks_hold(matrix_for(size), random_codeword(codec, random)));
  }
}

TEST_CASE("LDPC decoding corrects half of the errors at which it begins to fail") {
  RandomStream random(1, "decode");
  for (const Size& size : sizes) {
    INFO(size.payload << " bytes with " << size.parity);
    LdpcCodec codec(LdpcCode::of(size.payload, size.parity));
    for (int i = 0; i < 20; ++i) {
      const StoredCodeword written = random_codeword(codec, random);
      StoredCodeword read = written;
      flip_bits(read, codec.codeword_bits(), size.half_of_waterfall, random);
      const DecodeOutcome outcome = codec.decode(read.payload.data(), read.parity.data());
      REQUIRE(outcome.corrected);
      CHECK(outcome.corrected_bits == size.half_of_waterfall);
      CHECK(outcome.iterations > 0);
      CHECK(read == written);
    }
  }
}

TEST_CASE("512 bytes of parity correct 4096 bytes at an RBER of 6e-3, and at 1.2e-2 in soft reads of three levels") {
  RandomStream random(1, "RBER");
  LdpcCodec codec(LdpcCode::of(4096, 512));
  for (const double rber : {6e-3, 1.2e-2}) {
    const SensingChannel channel(rber, 3);
    for (int i = 0; i < 200; ++i) {
      const StoredCodeword written = random_codeword(codec, random);
      StoredCodeword read = written;
      for (std::uint32_t bit = 0; bit < codec.codeword_bits(); ++bit) {
        if (random.uniform() < rber) read.flip(bit);
      }
      const std::vector<std::int8_t> llr = soft_read(written, read, codec.codeword_bits(), channel, random);
      const DecodeOutcome outcome = rber == 6e-3 ? codec.decode(read.payload.data(), read.parity.data())
                                                 : codec.decode_soft(llr, read.payload.data(), read.parity.data());
      REQUIRE(outcome.corrected);
      REQUIRE(read == written);
    }
  }
}

TEST_CASE("an error-free codeword takes no LDPC iteration") {
  RandomStream random(1, "clean");
  LdpcCodec codec(LdpcCode::of(4096, 512));
  const StoredCodeword written = random_codeword(codec, random);
  StoredCodeword read = written;
  const DecodeOutcome outcome = codec.decode(read.payload.data(), read.parity.data());
  CHECK(outcome.corrected);
  CHECK(outcome.corrected_bits == 0);
  CHECK(outcome.iterations == 0);
  CHECK(read == written);
}

TEST_CASE("each single error is corrected, wherever it is") {
  RandomStream random(1, "single");
  LdpcCodec codec(LdpcCode::of(2048, 256));
  const StoredCodeword written = random_codeword(codec, random);
  for (std::uint32_t bit = 0; bit < codec.codeword_bits(); bit += 61) {
    StoredCodeword read = written;
    read.flip(bit);
    REQUIRE(codec.decode(read.payload.data(), read.parity.data()).corrected_bits == 1);
    REQUIRE(read == written);
  }
}

TEST_CASE("failed LDPC decoding leaves the codeword as read, or returns its decisions on request") {
  RandomStream random(1, "failure");
  for (const Size& size : sizes) {
    INFO(size.payload << " bytes with " << size.parity);
    LdpcCodec codec(LdpcCode::of(size.payload, size.parity));
    const StoredCodeword written = random_codeword(codec, random);
    StoredCodeword noisy = written;
    flip_bits(noisy, codec.codeword_bits(), 4 * size.half_of_waterfall, random);
    StoredCodeword read = noisy;
    const DecodeOutcome outcome = codec.decode(read.payload.data(), read.parity.data());
    CHECK_FALSE(outcome.corrected);
    CHECK(outcome.corrected_bits == 0);
    CHECK(read == noisy);
    CHECK_FALSE(codec.decide(read.payload.data(), read.parity.data()).corrected);
    CHECK(read != noisy);

    std::vector<std::int8_t> llr(codec.codeword_bits());
    for (std::size_t i = 0; i < llr.size(); ++i) llr[i] = noisy.bit(i) ? strongest_llr : -strongest_llr;
    StoredCodeword soft = written;
    CHECK_FALSE(codec.decode_soft(llr, soft.payload.data(), soft.parity.data()).corrected);
    CHECK(soft == noisy);
    CHECK_FALSE(codec.decide_soft(llr, soft.payload.data(), soft.parity.data()).corrected);
    CHECK(soft == read);
  }
}

TEST_CASE("soft decoding succeeds where hard decoding of the same noise fails") {
  RandomStream random(1, "soft");
  for (const std::uint32_t levels : {2u, 3u, 5u, 7u}) {
    const SensingChannel channel(1.2e-2, levels);
    LdpcCodec codec(LdpcCode::of(4096, 512));
    for (int i = 0; i < 5; ++i) {
      INFO(levels << " levels");
      const StoredCodeword written = random_codeword(codec, random);
      StoredCodeword hard = written;
      flip_bits(hard, codec.codeword_bits(), 400, random);
      const std::vector<std::int8_t> llr = soft_read(written, hard, codec.codeword_bits(), channel, random);
      CHECK_FALSE(codec.decode(hard.payload.data(), hard.parity.data()).corrected);
      StoredCodeword soft = hard;
      const DecodeOutcome outcome = codec.decode_soft(llr, soft.payload.data(), soft.parity.data());
      CHECK(outcome.corrected);
      if (levels % 2 == 1) CHECK(outcome.corrected_bits == 400);
      CHECK(soft == written);
    }
  }
}

TEST_CASE("soft decoding of single senses is hard decoding") {
  RandomStream random(1, "single senses");
  LdpcCodec codec(LdpcCode::of(2048, 128));
  for (int i = 0; i < 20; ++i) {
    const StoredCodeword written = random_codeword(codec, random);
    StoredCodeword hard = written;
    flip_bits(hard, codec.codeword_bits(), 40 + 5 * static_cast<std::uint32_t>(i % 4), random);
    const std::vector<std::int8_t> llr =
        soft_read(written, hard, codec.codeword_bits(), SensingChannel(3e-3, 1), random);
    StoredCodeword soft = written;
    const DecodeOutcome outcome = codec.decode_soft(llr, soft.payload.data(), soft.parity.data());
    const DecodeOutcome same = codec.decode(hard.payload.data(), hard.parity.data());
    CHECK(outcome.corrected == same.corrected);
    CHECK(outcome.corrected_bits == same.corrected_bits);
    CHECK(outcome.iterations == same.iterations);
    CHECK(soft == hard);
  }
}

TEST_CASE("extreme LLRs are accepted") {
  LdpcCodec codec(LdpcCode::of(4144, 512));
  RandomStream random(1, "extremes");
  const StoredCodeword written = random_codeword(codec, random);
  std::vector<std::int8_t> llr(codec.codeword_bits());
  for (std::size_t i = 0; i < llr.size(); ++i) llr[i] = written.bit(i) ? 127 : -128;
  for (std::size_t i = 0; i < llr.size(); i += 300) llr[i] = static_cast<std::int8_t>(~llr[i]);
  StoredCodeword read = written;
  CHECK(codec.decode_soft(llr, read.payload.data(), read.parity.data()).corrected);
  CHECK(read == written);
}

TEST_CASE("LDPC decoding is the same on all instruction sets") {
  for (const Size& size : {Size{4096, 512, 280}, Size{2048, 128, 50}, Size{4144, 512, 290}}) {
    std::vector<std::vector<StoredCodeword>> results;
    std::vector<std::uint32_t> iterations;
    for (const LdpcKernels& isa : ldpc_kernels_by_isa()) {
      RandomStream random(1, "instruction sets");
      LdpcCodec codec(LdpcCode::of(size.payload, size.parity), isa.kernels);
      std::vector<StoredCodeword>& decided = results.emplace_back();
      std::uint32_t& sum = iterations.emplace_back(0);
      for (int i = 0; i < 10; ++i) {
        const StoredCodeword written = random_codeword(codec, random);
        StoredCodeword read = written;
        // The numbers of errors are chosen so that decoding succeeds for some words and fails for others.
        flip_bits(read, codec.codeword_bits(), size.half_of_waterfall + (i % 2) * size.half_of_waterfall / 4, random);
        const std::vector<std::int8_t> llr =
            soft_read(written, read, codec.codeword_bits(), SensingChannel(1e-2, 3), random);
        sum += codec.decide(read.payload.data(), read.parity.data()).iterations;
        decided.push_back(read);
        sum += codec.decide_soft(llr, read.payload.data(), read.parity.data()).iterations;
        decided.push_back(read);
      }
      INFO(isa.isa);
      CHECK(results.back() == results.front());
      CHECK(iterations.back() == iterations.front());
    }
  }
}

TEST_CASE("nonexistent LDPC codes are refused, and the existing ones listed") {
  for (const auto& [payload, parity] : {std::pair{4096u, 500u}, {4161u, 512u}, {0u, 512u}}) {
    CHECK_THROWS_AS(LdpcCode::of(payload, parity), std::invalid_argument);
  }
  CHECK_THROWS_WITH(LdpcCode::of(4096, 500), ContainsSubstring("4160 with 512"));
  CHECK(&LdpcCode::of(4096, 512) == &LdpcCode::of(4096, 512));
  for (const Code& code : shipped_codes()) {
    if (code.family != "ldpc") continue;
    CHECK(make_codec(code)->payload_bytes() == code.payload_bytes);
    CHECK(make_codec(code)->parity_bytes() == code.ldpc_parity_bytes);
  }
}

}  // namespace
}  // namespace nandscape::ecc
