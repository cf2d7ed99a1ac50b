// SPDX-License-Identifier: Apache-2.0
// Compares each step of the BCH decoder with its definition, on each instruction set.
#include "ecc/bch/kernels.h"

#include <algorithm>
#include <string>

#include "catch.h"
#include "core/random.h"
#include "ecc/bch/bch_code.h"
#include "ecc/bch/scratch.h"

namespace nandscape::ecc {
namespace {

using Element = GaloisField::Element;

struct Case {
  std::uint32_t payload_bytes, correctable_bits;
};
// The cases cover the fields from 2^5 to 2^16, remainders from less than a word to many words, and payloads of any
// length.
const Case cases[] = {{1, 1},     {1, 2},     {5, 3},     {11, 4},    {10, 20},    {40, 7},    {33, 30},  {64, 50},
                      {65, 1},    {128, 3},   {200, 20},  {200, 100}, {255, 5},    {257, 5},   {512, 9},  {1024, 1},
                      {1024, 64}, {1080, 24}, {1023, 72}, {2048, 29}, {2049, 200}, {4096, 55}, {4097, 2}, {100, 511}};

std::vector<std::byte> random_payload(const Case& c) {
  std::vector<std::byte> payload(c.payload_bytes);
  RandomStream random(c.correctable_bits, "payload");
  for (std::byte& byte : payload) byte = static_cast<std::byte>(random());
  return payload;
}

// Computes the remainder bit by bit, with a shift register.
std::vector<std::uint64_t> remainder_by_division(const BchCode& code, const std::vector<std::byte>& payload) {
  const std::size_t degree = code.parity_bits();
  std::vector<std::uint8_t> shift_register(degree);  // element i is the coefficient of x^i
  for (std::size_t i = 0; i < payload.size() * 8; ++i) {
    const std::uint8_t leaving =
        shift_register[degree - 1] ^ std::to_integer<std::uint8_t>(payload[i / 8] >> i % 8 & std::byte{1});
    for (std::size_t j = degree - 1; j > 0; --j) {
      shift_register[j] = shift_register[j - 1] ^ (leaving & code.generator()[j]);
    }
    shift_register[0] = leaving & code.generator()[0];
  }
  std::vector<std::uint64_t> words(code.remainder().words);
  for (std::size_t i = 0; i < degree; ++i) words[i / 64] |= std::uint64_t{shift_register[degree - 1 - i]} << i % 64;
  return words;
}

BchScratch scratch_of(const BchCode& code) {
  return BchScratch(code.field().degree(), code.correctable_bits(), code.remainder().words, code.root_search());
}

std::size_t variant_of(const BchCode& code) { return code.field().degree() - least_code_field_degree; }

Element value_at(const GaloisField& field, const Element* coefficients, std::uint32_t degree, Element point) {
  Element value = 0;
  for (std::uint32_t i = degree + 1; i-- > 0;) value = field.multiply(value, point) ^ coefficients[i];
  return value;
}

TEST_CASE("remainders are those of division by the generator") {
  for (const Case& c : cases) {
    INFO(c.payload_bytes << ", t = " << c.correctable_bits);
    const auto code = BchCode::get(c.payload_bytes, c.correctable_bits);
    const std::vector<std::byte> payload = random_payload(c);
    const std::vector<std::uint64_t> expected = remainder_by_division(*code, payload);
    for (const BchKernels& kernels : bch_kernels()) {
      INFO(std::string(kernels.isa));
      std::vector<std::uint64_t> remainder(expected.size(), 12345);
      kernels.remainder(code->remainder(), payload.data(), payload.size(), remainder.data());
      CHECK(remainder == expected);
    }
  }
}

TEST_CASE("syndromes are the values of the remainder at powers of alpha") {
  for (const Case& c : cases) {
    INFO(c.payload_bytes << ", t = " << c.correctable_bits);
    const auto code = BchCode::get(c.payload_bytes, c.correctable_bits);
    const std::vector<std::uint64_t> remainder = remainder_by_division(*code, random_payload(c));
    std::vector<Element> expected(c.correctable_bits);
    for (std::uint32_t i = 0; i < c.correctable_bits; ++i) {
      for (std::uint32_t bit = 0; bit < code->parity_bits(); ++bit) {
        if (remainder[bit / 64] >> bit % 64 & 1) {
          expected[i] ^= code->field().power((2 * i + 1) * std::uint64_t{code->parity_bits() - 1 - bit});
        }
      }
    }
    for (const BchKernels& kernels : bch_kernels()) {
      INFO(std::string(kernels.isa));
      std::vector<Element> syndromes(c.correctable_bits + SyndromeTables::group_lanes);
      kernels.odd_syndromes(code->syndromes(), remainder.data(), syndromes.data());
      syndromes.resize(c.correctable_bits);
      CHECK(syndromes == expected);
    }
  }
}

TEST_CASE("the error locator is the product of 1 - X x over the errors") {
  for (const Case& c : cases) {
    INFO(c.payload_bytes << ", t = " << c.correctable_bits);
    const auto code = BchCode::get(c.payload_bytes, c.correctable_bits);
    const GaloisField& field = code->field();
    BchScratch scratch = scratch_of(*code);
    RandomStream random(10, "locators");
    for (const std::uint32_t errors : {1u, c.correctable_bits / 3, c.correctable_bits - 1, c.correctable_bits}) {
      std::vector<std::uint32_t> exponents(field.order());
      for (std::uint32_t e = 0; e < field.order(); ++e) exponents[e] = e;
      std::shuffle(exponents.begin(), exponents.end(), random);
      exponents.resize(errors);
      std::vector<Element> expected = {1};
      std::fill(scratch.syndromes.begin(), scratch.syndromes.end(), 0);
      for (const std::uint32_t e : exponents) {
        expected.push_back(0);
        for (std::size_t i = expected.size() - 1; i > 0; --i) {
          expected[i] ^= field.multiply(expected[i - 1], field.power(e));
        }
        for (std::uint32_t l = 1; l <= 2 * c.correctable_bits; ++l) {
          scratch.syndromes[l - 1] ^= field.power(std::uint64_t{e} * l);
        }
      }
      for (const BchKernels& kernels : bch_kernels()) {
        INFO(std::string(kernels.isa));
        const std::uint32_t degree = kernels.error_locator[variant_of(*code)](field, c.correctable_bits, scratch);
        REQUIRE(degree == errors);
        CHECK(std::equal(expected.begin(), expected.end(), scratch.locator.begin()));
      }
    }
  }
}

TEST_CASE("roots are the elements at which the polynomial is zero") {
  for (const Case& c : cases) {
    INFO(c.payload_bytes << ", t = " << c.correctable_bits);
    const auto code = BchCode::get(c.payload_bytes, c.correctable_bits);
    const GaloisField& field = code->field();
    BchScratch scratch = scratch_of(*code);
    RandomStream random(11, "roots");
    for (std::uint32_t degree = 1; degree <= c.correctable_bits; degree += 1 + degree / 4) {
      scratch.locator[0] = 1;
      for (std::uint32_t i = 1; i <= degree; ++i) {
        scratch.locator[i] = static_cast<Element>(random.below(field.order() + 1));
      }
      std::vector<Element> expected;
      for (std::uint32_t point = 0; point <= field.order(); ++point) {
        const auto element = static_cast<Element>(point);
        if (value_at(field, scratch.locator.data(), degree, element) == 0) expected.push_back(element);
      }
      for (const BchKernels& kernels : bch_kernels()) {
        INFO(std::string(kernels.isa) << ", degree " << degree);
        const std::uint32_t count = kernels.roots[variant_of(*code)](code->root_search(), degree, scratch);
        REQUIRE(std::vector<Element>(scratch.roots.begin(), scratch.roots.begin() + count) == expected);
      }
    }
  }
}

}  // namespace
}  // namespace nandscape::ecc
