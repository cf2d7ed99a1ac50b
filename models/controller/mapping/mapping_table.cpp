// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/mapping_table.h"

#include <bit>
#include <cstring>

namespace nandscape {

static_assert(std::endian::native == std::endian::little, "entries are stored as the low bytes of a word");

MappingTable::MappingTable(std::uint64_t logical_pages, std::uint64_t physical_pages, const InitialFill& initial)
    : initial_(initial),
      entry_bytes_((static_cast<unsigned>(std::bit_width(physical_pages + first_page)) + 7) / 8),
      entry_mask_(~std::uint64_t{0} >> (64 - 8 * entry_bytes_)),
      chunks_((logical_pages >> chunk_bits) + 1) {}

std::uint64_t MappingTable::load(Lpn lpn) const {
  const auto& chunk = chunks_[lpn.value >> chunk_bits];
  if (chunk == nullptr) return as_filled;
  std::uint64_t entry;
  std::memcpy(&entry, &chunk[(lpn.value & ((1U << chunk_bits) - 1)) * entry_bytes_], sizeof entry);
  return entry & entry_mask_;
}

void MappingTable::store(Lpn lpn, std::uint64_t entry) {
  auto& chunk = chunks_[lpn.value >> chunk_bits];
  if (chunk == nullptr) {
    // Room behind the last entry lets every entry be loaded as a whole word.
    chunk = std::make_unique<std::uint8_t[]>((std::size_t{entry_bytes_} << chunk_bits) + sizeof entry - entry_bytes_);
  }
  std::memcpy(&chunk[(lpn.value & ((1U << chunk_bits) - 1)) * entry_bytes_], &entry, entry_bytes_);
}

}  // namespace nandscape
