// SPDX-License-Identifier: Apache-2.0
// The constants of a binary BCH code [Lin and Costello, Error Control Coding, 2nd edition, chapter 6].
//
// The code is primitive, narrow-sense and systematic: the generator g(x) has the roots alpha, alpha^2, ..., alpha^(2t)
// in GF(2^m), where alpha is a root of the primitive polynomial of galois_field.h. The degree m is the smallest one, 5
// or more, for which payload and parity fit into 2^m - 1 bits. The code is shortened to the length of payload and
// parity. In a codeword of n bits, which begins with the payload, bit i is the coefficient of x^(n-1-i).
//
// The number of parity bits is the degree of g, at most m t. The (n, k, t) of data sheets and papers may reserve more
// bits than this. The additional bits are unused.
#pragma once

#include <cstdint>
#include <memory>

#include "ecc/bch/galois_field.h"
#include "ecc/bch/generator_polynomial.h"
#include "ecc/bch/remainder_tables.h"
#include "ecc/bch/root_search_tables.h"
#include "ecc/bch/syndrome_tables.h"

namespace nandscape::ecc {

class BchCode {
 public:
  // Returns the code with these parameters. The first call constructs the code, and later calls return the same object.
  // The function is thread-safe. Throws std::invalid_argument if no such code exists.
  static std::shared_ptr<const BchCode> get(std::uint32_t payload_bytes, std::uint32_t correctable_bits);

  std::uint32_t payload_bytes() const { return payload_bytes_; }
  std::uint32_t payload_bits() const { return payload_bytes_ * 8; }
  std::uint32_t parity_bits() const { return static_cast<std::uint32_t>(generator_.size() - 1); }
  std::uint32_t parity_bytes() const { return (parity_bits() + 7) / 8; }
  std::uint32_t codeword_bits() const { return payload_bits() + parity_bits(); }
  std::uint32_t correctable_bits() const { return correctable_bits_; }

  const GaloisField& field() const { return field_; }
  const BinaryPolynomial& generator() const { return generator_; }
  const RemainderTables& remainder() const { return remainder_; }
  const SyndromeTables& syndromes() const { return syndromes_; }
  const RootSearchTables& root_search() const { return root_search_; }

 private:
  BchCode(std::uint32_t payload_bytes, std::uint32_t correctable_bits, GaloisField field, BinaryPolynomial generator);

  std::uint32_t payload_bytes_;
  std::uint32_t correctable_bits_;
  GaloisField field_;
  BinaryPolynomial generator_;
  RemainderTables remainder_;
  SyndromeTables syndromes_;
  RootSearchTables root_search_;
};

}  // namespace nandscape::ecc
