// SPDX-License-Identifier: Apache-2.0
// How fullpages lie in a block over layers, with layer-aware fullpage allocation (FPA; Nie et al., section III-B). A
// fullpage is four units, L1 to L4, that are written together. Four of them lie in a row, across: unit s of each is in
// the page of the row that is in the s-th layer group, and those of one fullpage are in different quarters of their
// pages, so that they share neither blocks nor bitlines and can be read in one operation.
//
//            page in the group of    L1   L2   L3   L4
//   quarter 0 holds that of fullpage  0    3    2    1
//           1                         1    0    3    2
//           2                         2    1    0    3
//           3                         3    2    1    0
//
// L3 lies in the strongest layers, and its codewords lend parity to those of L4, in the weakest, beside which they
// stand: the parity of L4 is in the spare bytes of both pages.
#pragma once

#include <array>
#include <cstdint>

#include "controller/addresses/flash_layout.h"
#include "protocol/ecc_job.h"

namespace nandscape::controller {

// The codes of such a drive, behind the ordinary one.
inline constexpr CodeNumber less_parity_code = 1;
inline constexpr CodeNumber more_parity_code = 2;

// Units of a fullpage and fullpages of a row are as many as there are quarters of the layers.
class FullpagePattern {
 public:
  // The quarter of the layers, from the lowest on, that each of the four units goes to.
  using LayerGroups = std::array<std::uint8_t, layer_quarters>;

  static constexpr std::uint32_t lending = 2;
  static constexpr std::uint32_t borrowing = 3;

  // A block has a multiple of layer_quarters rows.
  FullpagePattern(const LayerGroups& groups, std::uint32_t rows_per_block)
      : groups_(groups), rows_per_quarter_(rows_per_block / layer_quarters) {
    for (std::uint8_t unit = 0; unit < layer_quarters; ++unit) unit_in_group_[groups[unit]] = unit;
  }

  // Members of a block begin in one quarter of the layers after the other, and change to the next with their rows.
  std::uint32_t member(std::uint32_t row, std::uint32_t unit) const {
    return (groups_[unit] + layer_quarters - row / rows_per_quarter_) % layer_quarters;
  }
  // The unit of fullpages that a page holds.
  std::uint32_t unit(std::uint32_t row, std::uint32_t member) const {
    return unit_in_group_[(row / rows_per_quarter_ + member) % layer_quarters];
  }
  // Of the codewords of that page: the one that lends has less parity of its own, the one that borrows more.
  CodeNumber code(std::uint32_t row, std::uint32_t member) const {
    const std::uint32_t held = unit(row, member);
    if (held == lending) return less_parity_code;
    return held == borrowing ? more_parity_code : ordinary_code;
  }

  // Of a row's page that holds that unit, the quarter for a fullpage, and the fullpage in a quarter.
  static std::uint32_t quarter(std::uint32_t fullpage, std::uint32_t unit) {
    return (fullpage + unit) % layer_quarters;
  }
  static std::uint32_t fullpage(std::uint32_t quarter, std::uint32_t unit) {
    return (quarter + layer_quarters - unit) % layer_quarters;
  }

  // In a block whose units are numbered along each page and pages along each row, the place of unit k, counted from
  // fullpage to fullpage; and back.
  std::uint32_t place_of(std::uint32_t k) const {
    const std::uint32_t row = k / per_row;
    const std::uint32_t of = k % layer_quarters;
    return row * per_row + member(row, of) * layer_quarters + quarter(k % per_row / layer_quarters, of);
  }
  std::uint32_t at(std::uint32_t place) const {
    const std::uint32_t row = place / per_row;
    const std::uint32_t held = unit(row, place % per_row / layer_quarters);
    return row * per_row + fullpage(place % layer_quarters, held) * layer_quarters + held;
  }

 private:
  static constexpr std::uint32_t per_row = layer_quarters * layer_quarters;

  LayerGroups groups_;
  LayerGroups unit_in_group_{};
  std::uint32_t rows_per_quarter_;
};

}  // namespace nandscape::controller
