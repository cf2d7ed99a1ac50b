// SPDX-License-Identifier: Apache-2.0
// The constants of a quasi-cyclic LDPC code. Any number of codecs share them.
//
// If a payload is shorter than the payload part of the matrix, it is padded with zeros. Encoder and decoder both know
// the padding, so it is not stored. Columns of blocks that contain only padding are removed from the matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ecc/ldpc/base_matrix.h"

namespace nandscape::ecc {

class LdpcCode {
 public:
  struct Edge {
    std::uint16_t column;
    std::uint16_t shift;
  };

  LdpcCode(const ldpc::BaseMatrix& matrix, std::uint32_t payload_bytes);

  // Returns the code for this payload and parity. If several matrices are large enough, the smallest one is used. The
  // code is never destroyed. Throws std::invalid_argument if there is no such code. The message lists the codes that
  // exist.
  static const LdpcCode& of(std::uint32_t payload_bytes, std::uint32_t parity_bytes);

  std::uint32_t payload_bytes() const { return payload_bytes_; }
  std::uint32_t parity_bytes() const { return rows() * lifting_ / 8; }
  std::uint32_t codeword_bits() const { return 8 * (payload_bytes() + parity_bytes()); }

  std::uint32_t lifting() const { return lifting_; }
  std::uint32_t words_of_column() const { return lifting_ / 64; }
  std::uint32_t rows() const { return static_cast<std::uint32_t>(first_edge_.size()) - 1; }
  std::uint32_t information_columns() const { return information_columns_; }
  std::uint32_t columns() const { return information_columns_ + rows(); }
  std::uint32_t edges() const { return first_edge_.back(); }
  std::uint32_t first_edge(std::uint32_t row) const { return first_edge_[row]; }
  // Returns the blocks of a row, ordered by column. Information columns come first.
  std::span<const Edge> edges_of_row(std::uint32_t row) const {
    return {edges_.data() + first_edge_[row], first_edge_[row + 1] - first_edge_[row]};
  }

  // encode() reads information_columns() columns of bits from `codeword` and writes the parity columns after them.
  // holds() returns true if `codeword` satisfies all checks.
  void encode(std::uint64_t* codeword) const;
  [[nodiscard]] bool holds(const std::uint64_t* codeword) const;

 private:
  using Words = std::vector<std::uint64_t>;

  void substitute(std::uint64_t* codeword, const std::uint64_t* row_sums) const;
  void add_columns(std::uint64_t* sum, std::span<const Edge> edges, const std::uint64_t* codeword) const;
  std::uint32_t first_gap_column() const { return columns() - ldpc::gap; }
  void invert_gap();

  std::uint32_t lifting_;
  std::uint32_t payload_bytes_;
  std::uint32_t information_columns_;
  std::vector<std::uint32_t> first_edge_;
  std::vector<std::uint32_t> first_parity_edge_;
  std::vector<Edge> edges_;
  // For each single bit in the sums of the gap's rows, the bits of the gap that must be flipped to cancel it.
  Words gap_of_sums_;
};

}  // namespace nandscape::ecc
