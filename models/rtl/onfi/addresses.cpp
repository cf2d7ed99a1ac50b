// SPDX-License-Identifier: Apache-2.0
#include "rtl/onfi/addresses.h"

#include <bit>
#include <string>

#include "core/error.h"

namespace nandscape::rtl::onfi {

namespace {

std::uint32_t bits_of(std::uint32_t count) { return static_cast<std::uint32_t>(std::bit_width(count - 1)); }

std::uint32_t mask(std::uint32_t bits) { return (1u << bits) - 1; }

}  // namespace

Addresses::Addresses(const Geometry& geometry)
    : pages_(geometry.pages_per_block),
      planes_(geometry.planes_per_die),
      blocks_(geometry.blocks_per_plane),
      page_bytes_(geometry.page_bytes + geometry.spare_bytes),
      plane_shift_(bits_of(pages_)),
      block_shift_(plane_shift_ + bits_of(planes_)),
      unit_shift_(block_shift_ + bits_of(blocks_)) {
  if (unit_shift_ > 8 * row_cycles) {
    throw ConfigError({}, "nand.geometry",
                      "a row of the die takes " + std::to_string(unit_shift_) + " bits, but ONFI pins carry " +
                          std::to_string(8 * row_cycles) + "; use fewer planes, blocks or pages");
  }
  if (page_bytes_ > 1u << 8 * column_cycles) {
    throw ConfigError({}, "nand.geometry",
                      "a page has " + std::to_string(page_bytes_) +
                          " bytes with its spare bytes, but a column address of "
                          "ONFI pins reaches only " +
                          std::to_string(1u << 8 * column_cycles));
  }
}

std::array<std::uint8_t, column_cycles> Addresses::column_bytes(std::uint32_t column) const {
  return {static_cast<std::uint8_t>(column), static_cast<std::uint8_t>(column >> 8)};
}

std::array<std::uint8_t, row_cycles> Addresses::row_bytes(const RowAddress& row) const {
  const std::uint32_t bits =
      row.page | row.plane.value << plane_shift_ | row.block.value << block_shift_ | row.unit << unit_shift_;
  return {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8), static_cast<std::uint8_t>(bits >> 16)};
}

RowAddress Addresses::row(std::span<const std::uint8_t> bytes) const {
  const std::uint32_t bits = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
  return {.unit = bits >> unit_shift_,
          .plane = PlaneInDie(bits >> plane_shift_ & mask(block_shift_ - plane_shift_)),
          .block = BlockInPlane(bits >> block_shift_ & mask(unit_shift_ - block_shift_)),
          .page = bits & mask(plane_shift_)};
}

bool Addresses::exists(const RowAddress& row) const {
  return row.unit == 0 && row.plane.value < planes_ && row.block.value < blocks_ && row.page < pages_;
}

}  // namespace nandscape::rtl::onfi
