// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/mapping_table.h"

#include <bit>
#include <cstring>

namespace nandscape {

static_assert(std::endian::native == std::endian::little, "entries are stored as the low bytes of a word");

MappingTable::MappingTable(std::uint64_t logical_pages, std::uint64_t physical_pages, const InitialFill& initial)
    : logical_pages_(logical_pages),
      initial_(initial),
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

// Room behind the last entry lets every entry be loaded as a whole word.
std::size_t MappingTable::chunk_bytes() const {
  return (std::size_t{entry_bytes_} << chunk_bits) + sizeof(std::uint64_t) - entry_bytes_;
}

void MappingTable::persist(Archive& archive) {
  archive.section("mapping table");
  archive.expect("chunks", chunks_.size());
  archive.expect("bytes of an entry", entry_bytes_);
  for (auto& chunk : chunks_) archive.array_or_none(chunk, chunk_bytes());
}

void MappingTable::store(Lpn lpn, std::uint64_t entry) {
  auto& chunk = chunks_[lpn.value >> chunk_bits];
  if (chunk == nullptr) {
    chunk = std::make_unique<std::uint8_t[]>(chunk_bytes());
  }
  std::memcpy(&chunk[(lpn.value & ((1U << chunk_bits) - 1)) * entry_bytes_], &entry, entry_bytes_);
}

}  // namespace nandscape
