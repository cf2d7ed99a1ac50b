// SPDX-License-Identifier: Apache-2.0
#include "nand/parameter_page.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

namespace nandscape::nand {

namespace {

template <class Field>
Field at_most_largest(std::uint64_t value) {
  return static_cast<Field>(std::min<std::uint64_t>(value, std::numeric_limits<Field>::max()));
}

std::uint16_t whole_us(Tick ticks) {
  return at_most_largest<std::uint16_t>(static_cast<std::uint64_t>(std::ceil(us_from_ticks(ticks))));
}

template <std::size_t size>
void put(char (&field)[size], std::string_view text) {
  std::memset(field, ' ', size);
  std::memcpy(field, text.data(), std::min(size, text.size()));
}

// Returns the number of bytes that an address from 0 to count - 1 needs.
std::uint32_t address_bytes(std::uint64_t count) {
  return (static_cast<std::uint32_t>(std::bit_width(count - 1)) + 7) / 8;
}

}  // namespace

std::uint16_t onfi_crc(std::span<const std::byte> bytes) {
  std::uint32_t crc = 0x4f4e;
  for (const std::byte byte : bytes) {
    crc ^= std::to_integer<std::uint32_t>(byte) << 8;
    for (int bit = 0; bit < 8; ++bit) crc = (crc << 1) ^ ((crc & 0x8000) != 0 ? 0x8005 : 0);
    crc &= 0xffff;
  }
  return static_cast<std::uint16_t>(crc);
}

std::uint16_t parameter_page_crc(const ParameterPage& page) {
  return onfi_crc(std::as_bytes(std::span(&page, 1)).first(offsetof(ParameterPage, crc)));
}

ParameterPage make_parameter_page(const Geometry& geometry, const NandTiming& timing) {
  const std::uint32_t blocks_per_die = geometry.planes_per_die * geometry.blocks_per_plane;
  const std::uint64_t rows = std::uint64_t{geometry.dies_per_chip} * blocks_per_die * geometry.pages_per_block;
  ParameterPage page{};
  std::memcpy(page.signature, "ONFI", 4);
  page.revision = 1u << 8;
  page.features = geometry.planes_per_die > 1 ? 1u << 3 | 1u << 6 : 0;
  page.optional_commands = 1u << 1 | 1u << 2 | 1u << 4;
  page.copies = parameter_page_copies;
  put(page.manufacturer, "NANDSCAPE");
  put(page.model, "SIMULATED DIE");
  page.page_bytes = geometry.page_bytes;
  page.spare_bytes = at_most_largest<std::uint16_t>(geometry.spare_bytes);
  page.pages_per_block = geometry.pages_per_block;
  page.blocks_per_die = blocks_per_die;
  page.dies = static_cast<std::uint8_t>(geometry.dies_per_chip);
  page.address_cycles =
      static_cast<std::uint8_t>(address_bytes(geometry.page_bytes + geometry.spare_bytes) << 4 | address_bytes(rows));
  page.bits_per_cell = static_cast<std::uint8_t>(timing.bits_per_cell());
  page.programs_per_page = 1;
  page.plane_address_bits = static_cast<std::uint8_t>(std::bit_width(geometry.planes_per_die - 1));
  page.t_prog_us = whole_us(timing.t_prog);
  page.t_bers_us = whole_us(timing.t_bers);
  page.t_read_us = whole_us(*std::max_element(timing.t_read.begin(), timing.t_read.end()));
  page.vendor_revision = 1;
  page.t_prog_slc_us = whole_us(timing.t_prog_slc);
  page.t_adjust_us = whole_us(timing.t_adjust);
  for (std::size_t type = 0; type < timing.senses.size(); ++type) {
    page.senses[type] = static_cast<std::uint8_t>(timing.senses[type]);
  }
  page.subpages = subpages_per_page;
  page.crc = parameter_page_crc(page);
  return page;
}

}  // namespace nandscape::nand
