// SPDX-License-Identifier: Apache-2.0
#include "ecc/ldpc/ldpc_code.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "ecc/ldpc/rotation.h"

namespace nandscape::ecc {

namespace {

[[noreturn]] void refuse(std::uint32_t payload_bytes, std::uint32_t parity_bytes) {
  std::ostringstream message;
  message << "there is no LDPC code for " << payload_bytes << " bytes of payload with " << parity_bytes
          << " of parity; there are codes for payloads of up to";
  const char* separator = " ";
  for (const ldpc::BaseMatrix& matrix : ldpc::base_matrices()) {
    message << std::exchange(separator, ", ") << matrix.information_bytes() << " with " << matrix.parity_bytes();
  }
  throw std::invalid_argument(message.str());
}

}  // namespace

LdpcCode::LdpcCode(const ldpc::BaseMatrix& matrix, std::uint32_t payload_bytes)
    : lifting_(matrix.lifting),
      payload_bytes_(payload_bytes),
      information_columns_((8 * payload_bytes + matrix.lifting - 1) / matrix.lifting) {
  const std::uint32_t left_out = matrix.information_columns - information_columns_;
  for (std::uint32_t row = 0; row < matrix.rows; ++row) {
    first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
    for (const ldpc::Block& block : matrix.blocks) {
      if (block.row != row || block.column >= information_columns_) continue;
      edges_.push_back({block.column, block.shift});
    }
    first_parity_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
    for (const ldpc::Block& block : matrix.blocks) {
      if (block.row != row || block.column < matrix.information_columns) continue;
      edges_.push_back({static_cast<std::uint16_t>(block.column - left_out), block.shift});
    }
  }
  first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
  invert_gap();
}

const LdpcCode& LdpcCode::of(std::uint32_t payload_bytes, std::uint32_t parity_bytes) {
  static std::mutex mutex;
  static std::map<std::pair<std::uint32_t, std::uint32_t>, LdpcCode> codes;
  const std::lock_guard lock(mutex);
  const auto known = codes.find({payload_bytes, parity_bytes});
  if (known != codes.end()) return known->second;
  const ldpc::BaseMatrix* smallest = nullptr;
  for (const ldpc::BaseMatrix& matrix : ldpc::base_matrices()) {
    if (matrix.parity_bytes() != parity_bytes || matrix.information_bytes() < payload_bytes) continue;
    if (smallest == nullptr || matrix.information_bytes() < smallest->information_bytes()) smallest = &matrix;
  }
  if (smallest == nullptr || payload_bytes == 0) refuse(payload_bytes, parity_bytes);
  return codes.try_emplace({payload_bytes, parity_bytes}, *smallest, payload_bytes).first->second;
}

void LdpcCode::add_columns(std::uint64_t* sum, std::span<const Edge> edges, const std::uint64_t* codeword) const {
  const std::uint32_t words = words_of_column();
  if (words == 4) {
    for (const Edge& edge : edges) ldpc::add_rotated(sum, codeword + edge.column * 4, edge.shift, 4);
  } else {
    for (const Edge& edge : edges) ldpc::add_rotated(sum, codeword + edge.column * words, edge.shift, words);
  }
}

// Computes the parity columns before the gap by substitution. `row_sums` contains the sum of each row over the payload,
// and `codeword` must already contain the bits of the gap. In each row, the parity column that has its first block in
// this row is set to the sum of all other columns of the row. The last rows are skipped, because no parity column has
// its first block there.
void LdpcCode::substitute(std::uint64_t* codeword, const std::uint64_t* row_sums) const {
  const std::uint32_t words = words_of_column();
  for (std::uint32_t row = 0; row + ldpc::gap < rows(); ++row) {
    std::uint64_t* const own = codeword + (information_columns_ + row) * words;
    std::fill_n(own, words, 0);
    std::array<std::uint64_t, ldpc::most_words> sum = {};
    std::copy_n(row_sums + row * words, words, sum.begin());
    add_columns(sum.data(), edges_of_row(row).subspan(first_parity_edge_[row] - first_edge_[row]), codeword);
    std::copy_n(sum.begin(), words, own);
  }
}

void LdpcCode::encode(std::uint64_t* codeword) const {
  const std::uint32_t words = words_of_column();
  std::array<std::uint64_t, ldpc::most_rows* ldpc::most_words> row_sums = {};
  for (std::uint32_t row = 0; row < rows(); ++row) {
    const std::uint32_t of_payload = first_parity_edge_[row] - first_edge_[row];
    add_columns(&row_sums[row * words], edges_of_row(row).first(of_payload), codeword);
  }
  std::uint64_t* const gap_bits = codeword + first_gap_column() * words;
  std::fill_n(gap_bits, ldpc::gap * words, 0);
  substitute(codeword, row_sums.data());
  std::array<std::uint64_t, ldpc::gap* ldpc::most_words> left_over = {};
  for (std::uint32_t row = rows() - ldpc::gap; row < rows(); ++row) {
    const std::uint32_t i = (row - (rows() - ldpc::gap)) * words;
    std::copy_n(&row_sums[row * words], words, &left_over[i]);
    add_columns(&left_over[i], edges_of_row(row).subspan(first_parity_edge_[row] - first_edge_[row]), codeword);
  }
  for (std::uint32_t word = 0; word < ldpc::gap * words; ++word) {
    for (std::uint64_t bits = left_over[word]; bits != 0; bits &= bits - 1) {
      const std::size_t bit = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      const std::uint64_t* const column = &gap_of_sums_[bit * ldpc::gap * words];
      for (std::uint32_t i = 0; i < ldpc::gap * words; ++i) gap_bits[i] ^= column[i];
    }
  }
  substitute(codeword, row_sums.data());
}

bool LdpcCode::holds(const std::uint64_t* codeword) const {
  for (std::uint32_t row = 0; row < rows(); ++row) {
    std::array<std::uint64_t, ldpc::most_words> sum = {};
    add_columns(sum.data(), edges_of_row(row), codeword);
    if (std::any_of(sum.begin(), sum.end(), [](std::uint64_t word) { return word != 0; })) return false;
  }
  return true;
}

// Computes gap_of_sums_. Each single bit of the gap changes the sums of the gap's rows in a certain way. These changes
// form a square matrix, which is inverted here. Both matrices are transposed, so that each row is the effect of one bit
// and row operations can be used.
void LdpcCode::invert_gap() {
  const std::uint32_t words = words_of_column();
  const std::uint32_t gap_words = ldpc::gap * words;
  const std::uint32_t bits = ldpc::gap * lifting_;
  std::vector<Words> sums_of_gap(bits, Words(gap_words));
  std::vector<Words> inverse(bits, Words(gap_words));
  const Words no_sums(rows() * words);
  Words codeword(columns() * words);
  for (std::uint32_t bit = 0; bit < bits; ++bit) {
    std::fill(codeword.begin(), codeword.end(), 0);
    inverse[bit][bit / 64] = codeword[first_gap_column() * words + bit / 64] = std::uint64_t{1} << bit % 64;
    substitute(codeword.data(), no_sums.data());
    for (std::uint32_t i = 0; i < ldpc::gap; ++i) {
      add_columns(&sums_of_gap[bit][i * words], edges_of_row(rows() - ldpc::gap + i), codeword.data());
    }
  }
  for (std::uint32_t column = 0; column < bits; ++column) {
    const auto has_column = [&](const Words& row) { return (row[column / 64] >> column % 64 & 1) != 0; };
    const auto pivot = std::find_if(sums_of_gap.begin() + column, sums_of_gap.end(), has_column);
    if (pivot == sums_of_gap.end())
      throw std::logic_error("the payload does not determine the parity of an LDPC matrix");
    std::swap(inverse[column], inverse[static_cast<std::size_t>(pivot - sums_of_gap.begin())]);
    std::iter_swap(sums_of_gap.begin() + column, pivot);
    for (std::uint32_t row = 0; row < bits; ++row) {
      if (row == column || !has_column(sums_of_gap[row])) continue;
      for (std::uint32_t i = 0; i < gap_words; ++i) {
        sums_of_gap[row][i] ^= sums_of_gap[column][i];
        inverse[row][i] ^= inverse[column][i];
      }
    }
  }
  for (const Words& row : inverse) gap_of_sums_.insert(gap_of_sums_.end(), row.begin(), row.end());
}

}  // namespace nandscape::ecc
