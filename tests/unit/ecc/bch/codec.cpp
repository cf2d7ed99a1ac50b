// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "catch.h"
#include "ecc/bch/bch_codec.h"
#include "unit/ecc/bch/words.h"

namespace nandscape::ecc {
namespace {

std::vector<Code> shipped_bch_codes() {
  std::vector<Code> codes;
  for (const Code& code : shipped_codes()) {
    if (code.family == "bch") codes.push_back(code);
  }
  return codes;
}

Code bch(std::uint32_t payload_bytes, std::uint32_t correctable_bits) {
  return {"bch", payload_bytes, correctable_bits, 0};
}

void check_corrects(Codec& codec, const Word& codeword, const std::set<std::size_t>& errors) {
  Word word = with_errors(codeword, errors);
  const DecodeOutcome outcome = decode(codec, word);
  REQUIRE(outcome.corrected);
  REQUIRE(outcome.corrected_bits == errors.size());
  REQUIRE(outcome.iterations == 0);
  REQUIRE(word == codeword);
}

TEST_CASE("shipped codes use the field and the parity that their payload needs") {
  struct Size {
    std::uint32_t payload_bytes, correctable_bits, field_degree, parity_bits;
  };
  for (const Size& size :
       {Size{1080, 24, 14, 336}, Size{1024, 72, 14, 1008 - 7}, Size{4096, 55, 16, 880}, Size{2048, 29, 15, 435},
        Size{1024, 16, 14, 224}, Size{512, 9, 13, 117}, Size{256, 5, 12, 60}, Size{128, 3, 11, 33}}) {
    const std::shared_ptr<const BchCode> code = BchCode::get(size.payload_bytes, size.correctable_bits);
    CHECK(code->field().degree() == size.field_degree);
    CHECK(code->parity_bits() == size.parity_bits);
    CHECK(code->parity_bytes() == (size.parity_bits + 7) / 8);
    CHECK(code->codeword_bits() == size.payload_bytes * 8 + size.parity_bits);
  }
}

TEST_CASE("any number of errors up to t is corrected, anywhere in the codeword") {
  for (const Code& code : shipped_bch_codes()) {
    INFO(to_string(code));
    const std::unique_ptr<Codec> codec = make_codec(code);
    RandomStream random(1, to_string(code));
    const std::uint32_t bits = codec->codeword_bits();
    for (std::uint32_t errors = 0; errors <= code.correctable_bits; ++errors) {
      const Word codeword = random_codeword(*codec, random);
      check_corrects(*codec, codeword, random_bits(errors, 0, bits, random));
      check_corrects(*codec, codeword, random_bits(errors, 0, codec->payload_bytes() * 8, random));
      check_corrects(*codec, codeword, random_bits(errors, codec->payload_bytes() * 8 - 1, bits, random));
    }
  }
}

TEST_CASE("each single error of a codeword is corrected") {
  const std::unique_ptr<Codec> codec = make_codec(bch(128, 3));
  RandomStream random(2, "single");
  const Word codeword = random_codeword(*codec, random);
  for (std::size_t bit = 0; bit < codec->codeword_bits(); ++bit) check_corrects(*codec, codeword, {bit});
}

TEST_CASE("bursts at both ends are corrected") {
  for (const Code& code : shipped_bch_codes()) {
    INFO(to_string(code));
    const std::unique_ptr<Codec> codec = make_codec(code);
    RandomStream random(3, to_string(code));
    const Word codeword = random_codeword(*codec, random);
    std::set<std::size_t> first, last;
    for (std::size_t i = 0; i < code.correctable_bits; ++i) {
      first.insert(i);
      last.insert(codec->codeword_bits() - 1 - i);
    }
    check_corrects(*codec, codeword, first);
    check_corrects(*codec, codeword, last);
  }
}

TEST_CASE("codes of every field and of payloads of any length work") {
  for (const Code& code : {bch(1, 1), bch(1, 2), bch(2, 3), bch(3, 6), bch(5, 4), bch(7, 5), bch(10, 20), bch(28, 3),
                           bch(33, 30), bch(64, 50), bch(200, 100), bch(511, 9), bch(1031, 40), bch(2049, 127),
                           bch(4097, 24), bch(8000, 95), bch(100, 511)}) {
    INFO(to_string(code));
    const std::unique_ptr<Codec> codec = make_codec(code);
    RandomStream random(4, to_string(code));
    for (int round = 0; round < 20; ++round) {
      const std::size_t errors = round == 0 ? code.correctable_bits : random.below(code.correctable_bits + 1);
      check_corrects(*codec, random_codeword(*codec, random), random_bits(errors, 0, codec->codeword_bits(), random));
    }
  }
}

TEST_CASE("more than t errors leave the word as read, or change it to another codeword within t bits") {
  for (const Code& code : shipped_bch_codes()) {
    INFO(to_string(code));
    const std::unique_ptr<Codec> codec = make_codec(code);
    RandomStream random(5, to_string(code));
    for (std::uint32_t excess = 1; excess <= 60; ++excess) {
      const Word codeword = random_codeword(*codec, random);
      const Word read =
          with_errors(codeword, random_bits(code.correctable_bits + excess, 0, codec->codeword_bits(), random));
      Word word = read;
      const DecodeOutcome outcome = decode(*codec, word);
      // A word with too many errors is decoded to a different codeword with a probability of about 1 / t!.
      if (code.correctable_bits >= 9) REQUIRE_FALSE(outcome.corrected);
      if (!outcome.corrected) {
        REQUIRE(outcome.corrected_bits == 0);
        REQUIRE(word == read);
        continue;
      }
      REQUIRE(word != codeword);
      REQUIRE(distance(word, read) == outcome.corrected_bits);
      REQUIRE(outcome.corrected_bits <= code.correctable_bits);
      Word again = word;
      codec->encode(again.payload.data(), again.parity.data());
      REQUIRE(again == word);
    }
  }
}

TEST_CASE("unused bits of the last parity byte are written as zeros and not read") {
  const std::unique_ptr<Codec> codec = make_codec(bch(512, 9));  // 117 bits of parity
  RandomStream random(6, "padding");
  const Word codeword = random_codeword(*codec, random);
  CHECK((codeword.parity.back() & std::byte{0xe0}) == std::byte{0});
  Word word = codeword;
  word.parity.back() |= std::byte{0xe0};
  const Word read = word;
  const DecodeOutcome outcome = decode(*codec, word);
  CHECK(outcome.corrected);
  CHECK(outcome.corrected_bits == 0);
  CHECK(word == read);
}

TEST_CASE("soft decisions count by sign") {
  for (const Code& code : {bch(512, 9), bch(128, 3)}) {
    const std::unique_ptr<Codec> codec = make_codec(code);
    RandomStream random(7, "soft");
    const Word codeword = random_codeword(*codec, random);
    const Word correctable =
        with_errors(codeword, random_bits(code.correctable_bits, 0, codec->codeword_bits(), random));
    Word beyond = codeword;
    for (std::size_t i = 0; i < 32; ++i) beyond.flip(i * i);
    for (const Word& read : {codeword, correctable, beyond}) {
      std::vector<std::int8_t> llr(codec->codeword_bits());
      for (std::size_t i = 0; i < llr.size(); ++i) {
        const int strength = 1 + static_cast<int>(random.below(127));
        llr[i] = static_cast<std::int8_t>(read.bit(i) ? strength : -strength);
      }
      Word hard = read;
      const DecodeOutcome expected = decode(*codec, hard);
      Word soft(*codec);
      std::fill(soft.parity.begin(), soft.parity.end(), std::byte{0xff});
      const DecodeOutcome outcome = codec->decode_soft(llr, soft.payload.data(), soft.parity.data());
      CHECK(outcome.corrected == expected.corrected);
      CHECK(outcome.corrected_bits == expected.corrected_bits);
      CHECK(soft == hard);
    }
  }
}

TEST_CASE("impossible codes are refused with the reason") {
  CHECK_THROWS_WITH(BchCode::get(0, 3), ContainsSubstring("at least one byte"));
  CHECK_THROWS_WITH(BchCode::get(512, 0), ContainsSubstring("at least one error"));
  CHECK_THROWS_WITH(BchCode::get(512, 512), ContainsSubstring("at most 511"));
  CHECK_THROWS_WITH(BchCode::get(8191, 1), ContainsSubstring("65535 bits"));
  CHECK_THROWS_WITH(BchCode::get(7200, 511), ContainsSubstring("65535 bits"));
  CHECK_THROWS_AS(make_codec(bch(0xffffffff, 3)), std::invalid_argument);
  CHECK(BchCode::get(8189, 1)->codeword_bits() == 65528);
}

TEST_CASE("threads share a code, and each decodes with its own codec") {
  std::vector<std::shared_ptr<const BchCode>> codes(8);
  std::vector<std::uint8_t> good(codes.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    threads.emplace_back([&, i] {
      codes[i] = BchCode::get(300, static_cast<std::uint32_t>(10 + i % 2));
      BchCodec codec(codes[i]);
      RandomStream random(8, "thread" + std::to_string(i));
      good[i] = 1;
      for (int round = 0; round < 50; ++round) {
        const Word codeword = random_codeword(codec, random);
        Word word = with_errors(codeword, random_bits(10, 0, codec.codeword_bits(), random));
        if (!decode(codec, word).corrected || word != codeword) good[i] = 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    CHECK(codes[i] == codes[i % 2]);
    CHECK(good[i] == 1);
  }
  CHECK(codes[0] != codes[1]);
}

}  // namespace
}  // namespace nandscape::ecc
