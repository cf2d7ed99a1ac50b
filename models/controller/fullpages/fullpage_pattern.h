// SPDX-License-Identifier: Apache-2.0
// The layout of fullpages in a superblock over layers, by layer-aware fullpage allocation (FPA) [Nie et al., section
// III-B]. A fullpage consists of four mapping units, L1 to L4, that are written together. A row of the superblock has
// four pages, one in each layer group, and contains four fullpages. The unit Ls of each fullpage is in the page of the
// s-th layer group. The four units of a fullpage are in different quarters of their pages, so they share neither blocks
// nor bitlines, and the die can read them in one operation. The table shows which fullpage (0 to 3) has its unit in
// which quarter of which page:
//
//   fullpage with a unit in       page of L1   L2   L3   L4
//   quarter 0 of the page                 0    3    2    1
//           1                             1    0    3    2
//           2                             2    1    0    3
//           3                             3    2    1    0
//
// The units L3 are in the strongest layers, and the units L4 in the weakest. Therefore the pages of L3 lend parity to
// those of L4: the parity of a codeword of L4 is stored partly in the spare bytes of its own page and partly in those
// of the page of L3.
#pragma once

#include <array>
#include <cstdint>

#include "controller/addresses/flash_layout.h"
#include "controller/mapping/initial_fill.h"
#include "protocol/ecc_job.h"

namespace nandscape::controller {

// The codes that a drive with fullpages over layers has in addition to the ordinary code.
inline constexpr CodeNumber less_parity_code = 1;
inline constexpr CodeNumber more_parity_code = 2;

// Computes the locations of fullpages. A fullpage has layer_quarters units, and a row contains layer_quarters
// fullpages.
class FullpagePattern {
 public:
  // For each of the units L1 to L4, the quarter of the layers in which it is stored. Quarter 0 is the lowest.
  using LayerGroups = std::array<std::uint8_t, layer_quarters>;

  static constexpr std::uint32_t lending = 2;
  static constexpr std::uint32_t borrowing = 3;

  // `groups` must contain each quarter once, and `rows_per_block` must be a multiple of layer_quarters.
  FullpagePattern(const LayerGroups& groups, std::uint32_t rows_per_block)
      : groups_(groups), rows_per_quarter_(rows_per_block / layer_quarters) {
    for (std::uint8_t unit = 0; unit < layer_quarters; ++unit) unit_in_group_[groups[unit]] = unit;
  }

  // Returns the member block of the superblock that stores `unit` in `row`. Row 0 of member m is in layer quarter m.
  // With each quarter of the rows, a member advances to the next layer quarter.
  std::uint32_t member(std::uint32_t row, std::uint32_t unit) const {
    return (groups_[unit] + layer_quarters - row / rows_per_quarter_) % layer_quarters;
  }
  // Returns which unit of its fullpages is stored in the page of that row and member: 0 to 3 for L1 to L4.
  std::uint32_t unit(std::uint32_t row, std::uint32_t member) const {
    return unit_in_group_[(row / rows_per_quarter_ + member) % layer_quarters];
  }
  // Returns the code of that page. A page that lends spare bytes has less parity for its own codewords, and a page that
  // borrows them has more.
  CodeNumber code(std::uint32_t row, std::uint32_t member) const {
    const std::uint32_t held = unit(row, member);
    if (held == lending) return less_parity_code;
    return held == borrowing ? more_parity_code : ordinary_code;
  }

  // quarter() returns in which quarter of its page the given unit of the fullpage is stored. fullpage() returns which
  // fullpage has the given unit in that quarter.
  static std::uint32_t quarter(std::uint32_t fullpage, std::uint32_t unit) {
    return (fullpage + unit) % layer_quarters;
  }
  static std::uint32_t fullpage(std::uint32_t quarter, std::uint32_t unit) {
    return (quarter + layer_quarters - unit) % layer_quarters;
  }

  // Convert between two ways to number the units of a superblock: k counts the units of a fullpage one after the other,
  // then those of the next fullpage. `place` counts the units along each page, and the pages along each row.
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

// The initial fill of a preconditioned drive with fullpages. In each hundred groups of four consecutive slots,
// `percent` groups are fullpages.
class FullpageFill final : public FillPattern {
 public:
  FullpageFill(std::uint32_t percent, const FullpagePattern& pattern) : percent_(percent), pattern_(pattern) {}

  std::uint64_t patterned(std::uint64_t slots) const override {
    return layer_quarters * before(slots / layer_quarters);
  }

  // Group n is a fullpage if before(n + 1) is one more than before(n). In the order of ranks, all fullpages precede the
  // other groups.
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
  // Returns the number of fullpages among the first `groups` groups.
  std::uint64_t before(std::uint64_t groups) const { return groups * percent_ / 100; }

  const std::uint32_t percent_;
  const FullpagePattern pattern_;
};

}  // namespace nandscape::controller
