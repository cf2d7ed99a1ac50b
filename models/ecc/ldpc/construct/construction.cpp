// SPDX-License-Identifier: Apache-2.0
#include "ecc/ldpc/construct/construction.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "core/random.h"
#include "ecc/ldpc/construct/cycle_costs.h"

namespace nandscape::ldpc {

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

// Fills rows and pairs of rows evenly.
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

// All columns have weight 4, but for some of the payload and the first of the gap, which have 3: were all weights even,
// the rows would add up to zero.
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
    of_column[column] = filling.next(column < c.light_columns ? triples : quadruples);
  }
  return of_column;
}

}  // namespace

std::vector<Block> construct(const Construction& construction) {
  RandomStream random(construction.seed, "LDPC");
  std::vector<Rows> of_column;
  std::vector<Block> blocks;
  do {
    of_column = rows_of_all_columns(construction, random);
    blocks.clear();
    for (std::uint32_t column = 0; column < of_column.size(); ++column) {
      for (const std::uint32_t row : of_column[column]) {
        blocks.push_back({static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row), 0});
      }
    }
  } while (!parity_is_determined({construction.information_columns, construction.rows, construction.lifting, blocks}));

  CycleCosts costs(construction.rows, construction.lifting, static_cast<std::uint32_t>(of_column.size()));
  std::vector<CycleCosts::Column> columns(of_column.size());
  for (std::uint32_t column = 0; column < of_column.size(); ++column) {
    for (const std::uint32_t row : of_column[column]) columns[column].push_back({row, 0});
    costs.choose_shifts(columns[column], random);
    costs.add(column, columns[column]);
  }
  for (std::uint32_t sweep = 0; sweep < construction.sweeps; ++sweep) {
    for (std::uint32_t column = 0; column < of_column.size(); ++column) {
      costs.remove(column, columns[column]);
      costs.choose_shifts(columns[column], random);
      costs.add(column, columns[column]);
    }
  }

  blocks.clear();
  for (std::uint32_t column = 0; column < of_column.size(); ++column) {
    for (const CycleCosts::Entry& entry : columns[column]) {
      blocks.push_back({static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(entry.row),
                        static_cast<std::uint16_t>(entry.shift)});
    }
  }
  if (short_cycles({construction.information_columns, construction.rows, construction.lifting, blocks}).of_4 != 0) {
    throw std::runtime_error("no shifts without cycles of 4 edges found");
  }
  return blocks;
}

}  // namespace nandscape::ldpc
