// SPDX-License-Identifier: Apache-2.0
#include "ecc/concatenated/concatenated_codec.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "catch.h"
#include "unit/ecc/bch/words.h"

namespace nandscape::ecc {
namespace {

const Code shipped = {"concatenated", 4096, 24, 512};

std::vector<std::int8_t> llr_of(const Word& read, std::uint32_t bits, std::int8_t strength) {
  std::vector<std::int8_t> llr(bits);
  for (std::size_t i = 0; i < bits; ++i) llr[i] = static_cast<std::int8_t>(read.bit(i) ? strength : -strength);
  return llr;
}

// Returns a word that is a valid codeword of the inner LDPC code, but whose LDPC payload is a BCH codeword with errors.
Word around_errors(const Word& codeword, const Codec& codec, std::size_t errors, RandomStream& random) {
  const std::size_t bch_parity_bytes = codeword.parity.size() - shipped.ldpc_parity_bytes;
  const std::size_t bch_bits = 8 * (codeword.payload.size() + bch_parity_bytes);
  const Word read = with_errors(codeword, random_bits(errors, 0, bch_bits, random));
  std::vector<std::byte> ldpc_payload = read.payload;
  ldpc_payload.insert(ldpc_payload.end(), read.parity.begin(), read.parity.begin() + bch_parity_bytes);
  LdpcCodec ldpc(LdpcCode::of(codec.payload_bytes() + bch_parity_bytes, shipped.ldpc_parity_bytes));
  Word word = read;
  ldpc.encode(ldpc_payload.data(), word.parity.data() + bch_parity_bytes);
  return word;
}

TEST_CASE("a concatenated codeword is a codeword of both codes") {
  const std::unique_ptr<Codec> codec = make_codec(shipped);
  CHECK(codec->payload_bytes() == 4096);
  CHECK(codec->parity_bytes() == 48 + 512);
  CHECK(codec->codeword_bits() == 8 * (4096 + 48 + 512));
  RandomStream random(1, "concatenated");
  Word word = random_codeword(*codec, random);
  const Word codeword = word;
  BchCodec bch(BchCode::get(4096, 24));
  const DecodeOutcome of_bch = bch.decode(word.payload.data(), word.parity.data());
  CHECK(of_bch.corrected);
  CHECK(of_bch.corrected_bits == 0);
  CHECK(around_errors(codeword, *codec, 0, random) == codeword);
  const DecodeOutcome outcome = decode(*codec, word);
  CHECK(outcome.corrected);
  CHECK(outcome.corrected_bits == 0);
  CHECK(word == codeword);
}

TEST_CASE("errors that the LDPC code corrects are corrected, in hard and soft reads") {
  const std::unique_ptr<Codec> codec = make_codec(shipped);
  RandomStream random(2, "concatenated");
  for (const std::size_t errors : {1u, 40u, 120u, 180u}) {
    const Word codeword = random_codeword(*codec, random);
    const Word read = with_errors(codeword, random_bits(errors, 0, codec->codeword_bits(), random));
    Word hard = read;
    const DecodeOutcome outcome = decode(*codec, hard);
    CHECK(outcome.corrected);
    CHECK(outcome.corrected_bits == errors);
    CHECK(outcome.iterations > 0);
    CHECK(hard == codeword);
    Word soft(*codec);
    const std::vector<std::int8_t> llr = llr_of(read, codec->codeword_bits(), 8);
    const DecodeOutcome outcome_of_soft = codec->decode_soft(llr, soft.payload.data(), soft.parity.data());
    CHECK(outcome_of_soft.corrected);
    CHECK(outcome_of_soft.corrected_bits == errors);
    CHECK(soft == codeword);
  }
}

TEST_CASE("up to t errors that the LDPC code cannot detect are corrected, and its parity follows") {
  const std::unique_ptr<Codec> codec = make_codec(shipped);
  RandomStream random(3, "concatenated");
  for (const std::size_t errors : {1u, 12u, 24u}) {
    const Word codeword = random_codeword(*codec, random);
    Word word = around_errors(codeword, *codec, errors, random);
    const std::uint32_t expected = distance(word, codeword);
    CHECK(expected > errors);
    const DecodeOutcome outcome = decode(*codec, word);
    CHECK(outcome.corrected);
    CHECK(outcome.corrected_bits == expected);
    CHECK(word == codeword);
  }
}

// The wrong bits are read with high confidence and all others with low confidence, so that LDPC decoding gets stuck.
// The BCH code must then correct these errors.
TEST_CASE("up to t errors at which LDPC decoding gets stuck are corrected") {
  const std::unique_ptr<Codec> codec = make_codec(shipped);
  RandomStream random(5, "concatenated");
  for (const std::size_t errors : {3u, 24u, 25u}) {
    const Word codeword = random_codeword(*codec, random);
    const std::set<std::size_t> wrong = random_bits(errors, 0, 8 * codec->payload_bytes(), random);
    const Word read = with_errors(codeword, wrong);
    std::vector<std::int8_t> llr = llr_of(read, codec->codeword_bits(), 1);
    for (const std::size_t bit : wrong) llr[bit] = read.bit(bit) ? 20 : -20;

    LdpcCodec ldpc(LdpcCode::of(4096 + 48, shipped.ldpc_parity_bytes));
    std::vector<std::byte> ldpc_payload(ldpc.payload_bytes()), ldpc_parity(ldpc.parity_bytes());
    REQUIRE_FALSE(ldpc.decode_soft(llr, ldpc_payload.data(), ldpc_parity.data()).corrected);

    Word soft(*codec);
    const DecodeOutcome outcome = codec->decode_soft(llr, soft.payload.data(), soft.parity.data());
    CHECK(outcome.corrected == (errors <= 24));
    CHECK(outcome.corrected_bits == (errors <= 24 ? errors : 0));
    CHECK(soft == (errors <= 24 ? codeword : read));
  }
}

TEST_CASE("errors that neither code corrects leave the word as read") {
  const std::unique_ptr<Codec> codec = make_codec(shipped);
  RandomStream random(4, "concatenated");
  const Word codeword = random_codeword(*codec, random);
  const Word unseen = around_errors(codeword, *codec, 25, random);
  const Word too_many = with_errors(codeword, random_bits(1500, 0, codec->codeword_bits(), random));
  for (const Word& read : {unseen, too_many}) {
    Word hard = read;
    const DecodeOutcome outcome = decode(*codec, hard);
    CHECK_FALSE(outcome.corrected);
    CHECK(outcome.corrected_bits == 0);
    CHECK(hard == read);
    Word soft(*codec);
    const std::vector<std::int8_t> llr = llr_of(read, codec->codeword_bits(), 8);
    CHECK_FALSE(codec->decode_soft(llr, soft.payload.data(), soft.parity.data()).corrected);
    CHECK(soft == read);
  }
}

TEST_CASE("nonexistent codes are refused") {
  CHECK_THROWS_AS(make_codec({"concatenated", 4096, 24, 100}), std::invalid_argument);
  CHECK_THROWS_AS(make_codec({"concatenated", 4096, 0, 512}), std::invalid_argument);
  CHECK_THROWS_AS(make_codec({"concatenated", 8192, 24, 512}), std::invalid_argument);
}

}  // namespace
}  // namespace nandscape::ecc
