// SPDX-License-Identifier: Apache-2.0
// Address cycles of a logical unit, and the places that they name: two cycles of column, three of row, lowest byte
// first. The row holds, from its lowest bit on, the page, the plane, the block of the plane and the logical unit, each
// in as many bits as its count needs [ONFI 4.0, chapter 3]. What the bits can name and the unit does not have is a
// reserved address.
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
  std::uint32_t plane = 0;
  std::uint32_t block = 0;  // of the plane
  std::uint32_t page = 0;

  bool operator==(const RowAddress&) const = default;
};

class Addresses {
 public:
  // Throws ConfigError when the cycles cannot name all columns or rows.
  explicit Addresses(const Geometry& geometry);

  std::array<std::uint8_t, column_cycles> column_bytes(std::uint32_t column) const;
  std::array<std::uint8_t, row_cycles> row_bytes(const RowAddress& row) const;

  // Of so many bytes as the name says.
  static std::uint32_t column(std::span<const std::uint8_t> bytes) { return bytes[0] | bytes[1] << 8; }
  RowAddress row(std::span<const std::uint8_t> bytes) const;

  // Whether the logical unit 0, the only one of its target, has such a page.
  bool exists(const RowAddress& row) const;
  // The page and its spare bytes have that column.
  bool has_column(std::uint32_t column) const { return column < page_bytes_; }

 private:
  std::uint32_t pages_;
  std::uint32_t planes_;
  std::uint32_t blocks_;
  std::uint32_t page_bytes_;  // with the spare bytes
  std::uint32_t plane_shift_;
  std::uint32_t block_shift_;
  std::uint32_t unit_shift_;
};

}  // namespace nandscape::rtl::onfi
