// SPDX-License-Identifier: Apache-2.0
// The layout of fullpages in a superblock over layers, with layer-aware fullpage allocation (FPA; Nie et al., section
// III-B). A fullpage consists of four units, L1 to L4, that are written together. A row holds four fullpages across its
// four pages: unit s of each is in the page of the s-th layer group. The units of a fullpage are in different quarters
// of their pages. They therefore share neither blocks nor bitlines and can be read in one operation.
//
//   fullpage with a unit in       page of L1   L2   L3   L4
//   quarter 0 of the page                 0    3    2    1
//           1                             1    0    3    2
//           2                             2    1    0    3
//           3                             3    2    1    0
//
// L3 is in the strongest layers. Its codewords lend parity to those of L4 in the weakest layers: the parity of L4 is in
// the spare bytes of both pages.
#pragma once

#include <array>
#include <cstdint>

#include "controller/addresses/flash_layout.h"
#include "controller/mapping/initial_fill.h"
#include "protocol/ecc_job.h"

namespace nandscape::controller {

// The codes of a drive with fullpages over layers, besides the ordinary code.
inline constexpr CodeNumber less_parity_code = 1;
inline constexpr CodeNumber more_parity_code = 2;

// A fullpage has layer_quarters units, and a row has layer_quarters fullpages.
class FullpagePattern {
 public:
  // The quarter of the layers that each of the four units lies in, counted from the lowest.
  using LayerGroups = std::array<std::uint8_t, layer_quarters>;

  static constexpr std::uint32_t lending = 2;
  static constexpr std::uint32_t borrowing = 3;

  // `rows_per_block` must be a multiple of layer_quarters.
  FullpagePattern(const LayerGroups& groups, std::uint32_t rows_per_block)
      : groups_(groups), rows_per_quarter_(rows_per_block / layer_quarters) {
    for (std::uint8_t unit = 0; unit < layer_quarters; ++unit) unit_in_group_[groups[unit]] = unit;
  }

  // The member block that holds that unit in that row. Row 0 of member m is in layer quarter m, and the quarter
  // advances with the rows.
  std::uint32_t member(std::uint32_t row, std::uint32_t unit) const {
    return (groups_[unit] + layer_quarters - row / rows_per_quarter_) % layer_quarters;
  }
  // The unit, 0 to 3 for L1 to L4, that the page of that row and member holds.
  std::uint32_t unit(std::uint32_t row, std::uint32_t member) const {
    return unit_in_group_[(row / rows_per_quarter_ + member) % layer_quarters];
  }
  // The code of that page: a lending page has less parity of its own, a borrowing page has more.
  CodeNumber code(std::uint32_t row, std::uint32_t member) const {
    const std::uint32_t held = unit(row, member);
    if (held == lending) return less_parity_code;
    return held == borrowing ? more_parity_code : ordinary_code;
  }

  // Return, within a row, the quarter that holds `unit` of a fullpage, and the fullpage whose `unit` a quarter holds.
  static std::uint32_t quarter(std::uint32_t fullpage, std::uint32_t unit) {
    return (fullpage + unit) % layer_quarters;
  }
  static std::uint32_t fullpage(std::uint32_t quarter, std::uint32_t unit) {
    return (quarter + layer_quarters - unit) % layer_quarters;
  }

  // Convert between k, which counts units fullpage by fullpage, and the place, which counts units along each page and
  // pages along each row.
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

// The fill of a preconditioned device with fullpages: `percent` of each hundred groups of four slots are fullpages.
class FullpageFill final : public FillPattern {
 public:
  FullpageFill(std::uint32_t percent, const FullpagePattern& pattern) : percent_(percent), pattern_(pattern) {}

  std::uint64_t patterned(std::uint64_t slots) const override {
    return layer_quarters * before(slots / layer_quarters);
  }

  // Group n is a fullpage if before(n + 1) is one more than before(n).
  std::uint64_t rank_of(std::uint64_t slot, std::uint64_t slots) const override {
    const std::uint64_t group = slot / layer_quarters;
    const std::uint64_t fullpages = before(slots / layer_quarters);
    if (fullpages == 0 || group >= slots / layer_quarters) return slot;
    const bool fullpage = before(group + 1) != before(group);
    return layer_quarters * (fullpage ? before(group) : fullpages + group - before(group)) + slot % layer_quarters;
  }

  std::uint64_t slot_of(std::uint64_t rank, std::uint64_t slots) const override {
    std::uint64_t group = rank / layer_quarters;
    const std::uint64_t fullpages = before(slots / layer_quarters);
    if (fullpages == 0 || group >= slots / layer_quarters) return rank;
    if (group < fullpages) {
      group = ((group + 1) * 100 + percent_ - 1) / percent_ - 1;
    } else {
      group = (group - fullpages) * 100 / (100 - percent_);
    }
    return layer_quarters * group + rank % layer_quarters;
  }

  std::uint32_t place_of(std::uint32_t k) const override { return pattern_.place_of(k); }
  std::uint32_t at(std::uint32_t place) const override { return pattern_.at(place); }

 private:
  // The number of fullpages among the first `groups` groups.
  std::uint64_t before(std::uint64_t groups) const { return groups * percent_ / 100; }

  const std::uint32_t percent_;
  const FullpagePattern pattern_;
};

}  // namespace nandscape::controller
