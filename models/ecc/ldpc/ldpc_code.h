// SPDX-License-Identifier: Apache-2.0
// The constants of a quasi-cyclic LDPC code, shared by any number of codecs.
//
// Zeros that encoder and decoder know extend a payload shorter than the matrix. They are not stored. Columns of blocks
// that hold only such zeros are left out.
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

  // Returns the code for that payload with the smallest matrix of that parity. The code lives until the end of the
  // program. Throws std::invalid_argument, naming the existing codes, if there is none.
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
  // By column; information columns come first.
  std::span<const Edge> edges_of_row(std::uint32_t row) const {
    return {edges_.data() + first_edge_[row], first_edge_[row + 1] - first_edge_[row]};
  }

  // `codeword` holds information_columns() columns of bits; encode() writes the parity columns after them.
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
  // For each single bit in the sums of the gap's rows: the bits of the gap that cancel it.
  Words gap_of_sums_;
};

}  // namespace nandscape::ecc
