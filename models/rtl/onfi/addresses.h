// SPDX-License-Identifier: Apache-2.0
// Converts between positions in a logical unit and the address cycles of ONFI. There are two cycles of column address
// and three of row address, with the lowest byte first. From the lowest bit to the highest, the row address contains
// the page, the plane, the block in the plane, and the logical unit [ONFI 4.0, chapter 3]. Each of these has as many
// bits as are needed for its range. Addresses that exceed the range are reserved.
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
  // Throws ConfigError if the device has more columns or rows than these cycles can address.
  explicit Addresses(const Geometry& geometry);

  std::array<std::uint8_t, column_cycles> column_bytes(std::uint32_t column) const;
  std::array<std::uint8_t, row_cycles> row_bytes(const RowAddress& row) const;

  // Return the column or the row that is encoded in `bytes`, which must contain column_cycles or row_cycles bytes.
  static std::uint32_t column(std::span<const std::uint8_t> bytes) { return bytes[0] | bytes[1] << 8; }
  RowAddress row(std::span<const std::uint8_t> bytes) const;

  // Returns true if the page exists in logical unit 0, which is the only unit of its target.
  bool exists(const RowAddress& row) const;
  // Returns true if the column exists in a page, including its spare bytes.
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
