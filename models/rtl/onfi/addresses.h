// SPDX-License-Identifier: Apache-2.0
// Converts between places in a logical unit and their address cycles: two cycles of column, three of row, lowest byte
// first. From the lowest bit upward, the row holds the page, the plane, the block of the plane and the logical unit
// [ONFI 4.0, chapter 3]. Each takes as many bits as its count needs. Addresses beyond the unit's counts are reserved.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "protocol/geometry.h"

namespace nandscape::rtl::onfi {

inline constexpr std::uint32_t column_cycles = 2;
inline constexpr std::uint32_t row_cycles = 3;
inline constexpr std::uint32_t address_cycles = column_cycles + row_cycles;

struct RowAddress {
  std::uint32_t unit = 0;
  PlaneInDie plane{0};
  BlockInPlane block{0};
  std::uint32_t page = 0;

  bool operator==(const RowAddress&) const = default;
};

class Addresses {
 public:
  // Throws ConfigError if the cycles cannot address all columns or rows.
  explicit Addresses(const Geometry& geometry);

  std::array<std::uint8_t, column_cycles> column_bytes(std::uint32_t column) const;
  std::array<std::uint8_t, row_cycles> row_bytes(const RowAddress& row) const;

  // Decode column_cycles or row_cycles address bytes.
  static std::uint32_t column(std::span<const std::uint8_t> bytes) { return bytes[0] | bytes[1] << 8; }
  RowAddress row(std::span<const std::uint8_t> bytes) const;

  // Whether logical unit 0, the only one of its target, has this page.
  bool exists(const RowAddress& row) const;
  // Whether the page with its spare bytes has this column.
  bool has_column(std::uint32_t column) const { return column < page_bytes_; }

 private:
  std::uint32_t pages_;
  std::uint32_t planes_;
  std::uint32_t blocks_;
  std::uint32_t page_bytes_;  // including the spare bytes
  std::uint32_t plane_shift_;
  std::uint32_t block_shift_;
  std::uint32_t unit_shift_;
};

}  // namespace nandscape::rtl::onfi
