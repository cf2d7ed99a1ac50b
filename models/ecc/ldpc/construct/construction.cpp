// SPDX-License-Identifier: Apache-2.0
#include "ecc/ldpc/construct/construction.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "core/random.h"
#include "ecc/ldpc/construct/cycle_costs.h"

namespace nandscape::ecc::ldpc {

namespace {

using Rows = std::vector<std::uint32_t>;

std::vector<Rows> choices_of_rows(std::uint32_t rows, std::uint32_t first_row, std::uint32_t weight) {
  std::vector<Rows> choices;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << rows; ++set) {
    if (std::popcount(set) != static_cast<int>(weight)) continue;
    Rows choice;
    for (std::uint32_t row = 0; row < rows; ++row) {
      if ((set >> row & 1) != 0) choice.push_back(row);
    }
    if (choice.front() >= first_row) choices.push_back(choice);
  }
  return choices;
}

// Chooses the rows in which each column has blocks, so that all rows and all pairs of rows receive nearly the same
// number of blocks.
class RowsOfColumns {
 public:
  RowsOfColumns(std::uint32_t rows, RandomStream& random)
      : rows_(rows), random_(random), columns_of_row_(rows), columns_of_pair_(rows * rows) {}

  Rows next(const std::vector<Rows>& choices) {
    double least = std::numeric_limits<double>::infinity();
    const Rows* best = nullptr;
    for (const Rows& choice : choices) {
      const double cost = cost_of(choice) + 0.5 * random_.uniform();
      if (cost < least) {
        least = cost;
        best = &choice;
      }
    }
    for (const std::uint32_t a : *best) {
      ++columns_of_row_[a];
      for (const std::uint32_t b : *best) ++columns_of_pair_[a * rows_ + b];
    }
    return *best;
  }

 private:
  double cost_of(const Rows& choice) const {
    constexpr double row_over_pair = 20;
    double cost = 0;
    for (const std::uint32_t a : choice) {
      cost += row_over_pair * columns_of_row_[a];
      for (const std::uint32_t b : choice) {
        if (a < b) cost += columns_of_pair_[a * rows_ + b];
      }
    }
    return cost;
  }

  std::uint32_t rows_;
  RandomStream& random_;
  std::vector<double> columns_of_row_;
  std::vector<double> columns_of_pair_;
};

std::vector<Rows> rows_of_all_columns(const Construction& c, RandomStream& random) {
  RowsOfColumns filling(c.rows, random);
  std::vector<Rows> of_column(c.information_columns + c.rows);
  const std::vector<Rows> triples = choices_of_rows(c.rows, 0, 3);
  const std::vector<Rows> quadruples = choices_of_rows(c.rows, 0, 4);
  for (std::uint32_t p = 0; p < c.rows; ++p) {
    Rows& rows = of_column[c.information_columns + p];
    if (p + gap >= c.rows) {
      rows = filling.next(p + gap == c.rows ? triples : quadruples);
    } else {
      std::vector<Rows> choices = choices_of_rows(c.rows, p, 4);
      std::erase_if(choices, [&](const Rows& choice) { return choice.front() != p; });
      rows = filling.next(choices);
    }
  }
  for (std::uint32_t column = 0; column < c.information_columns; ++column) {
    of_column[column] = filling.next(quadruples);
  }
  return of_column;
}

std::vector<Block> blocks_of(const std::vector<CycleCosts::Column>& columns) {
  std::vector<Block> blocks;
  for (std::uint32_t column = 0; column < columns.size(); ++column) {
    for (const CycleCosts::Entry& entry : columns[column]) {
      blocks.push_back({static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(entry.row),
                        static_cast<std::uint16_t>(entry.shift)});
    }
  }
  return blocks;
}

BaseMatrix matrix_of(const Construction& c, const std::vector<Block>& blocks) {
  return {c.information_columns, c.rows, c.lifting, blocks};
}

// Returns all columns with the rows of their blocks chosen and all shifts 0. Repeats the random choice until the
// payload determines the parity.
std::vector<CycleCosts::Column> filled_columns(const Construction& c, RandomStream& random) {
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i) {
    std::vector<CycleCosts::Column> columns;
    for (const Rows& rows : rows_of_all_columns(c, random)) {
      CycleCosts::Column& column = columns.emplace_back();
      for (const std::uint32_t row : rows) column.push_back({row, 0});
    }
    if (parity_is_determined(matrix_of(c, blocks_of(columns)))) return columns;
  }
  throw std::runtime_error("no rows were found that determine the parity");
}

}  // namespace

std::vector<Block> construct(const Construction& construction) {
  RandomStream random(construction.seed, "LDPC");
  std::vector<CycleCosts::Column> columns = filled_columns(construction, random);
  CycleCosts costs(construction.rows, construction.lifting);
  for (std::uint32_t column = 0; column < columns.size(); ++column) {
    costs.choose_shifts(columns[column], random);
    costs.add(column, columns[column]);
  }
  for (std::uint32_t sweep = 0; sweep < construction.sweeps; ++sweep) {
    for (std::uint32_t column = 0; column < columns.size(); ++column) {
      costs.remove(column, columns[column]);
      costs.choose_shifts(columns[column], random);
      costs.add(column, columns[column]);
    }
  }
  std::vector<Block> blocks = blocks_of(columns);
  if (short_cycles(matrix_of(construction, blocks)).of_4 != 0) {
    throw std::runtime_error("no shifts without cycles of 4 edges were found");
  }
  return blocks;
}

}  // namespace nandscape::ecc::ldpc
