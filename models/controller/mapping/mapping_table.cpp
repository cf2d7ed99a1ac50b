// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/mapping_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace nandscape::controller {

static_assert(std::endian::native == std::endian::little, "entries are stored as the low bytes of a word");

MappingTable::MappingTable(std::uint64_t logical_pages, std::uint64_t physical_pages, const InitialFill& initial)
    : logical_pages_(logical_pages),
      initial_(initial),
      entry_bytes_((static_cast<unsigned>(std::bit_width(physical_pages + first_page)) + 7) / 8),
      entry_mask_(~std::uint64_t{0} >> (64 - 8 * entry_bytes_)),
      chunks_((logical_pages >> chunk_bits) + 1),
      unmapped_chunks_(chunks_.size()) {}

// The extra bytes at the end allow the last entry, like every entry, to be loaded as a 64-bit word.
std::size_t MappingTable::chunk_bytes() const {
  return (std::size_t{entry_bytes_} << chunk_bits) + sizeof(std::uint64_t) - entry_bytes_;
}

void MappingTable::persist(Archive& archive) {
  archive.section("mapping table");
  archive.expect("chunks", chunks_.size());
  archive.expect("bytes of an entry", entry_bytes_);
  for (auto& chunk : chunks_) archive.array_or_none(chunk, chunk_bytes());
  archive(unmapped_chunks_);
  archive.require(unmapped_chunks_.size() == chunks_.size(), "only a part of the chunks says whether it is unmapped");
  for (std::size_t k = 0; k < chunks_.size(); ++k) {
    archive.require(chunks_[k] == nullptr || !unmapped_chunks_[k], "a chunk is stored, but marked as unmapped");
  }
}

void MappingTable::store(Lpn lpn, std::uint64_t entry) {
  auto& chunk = chunks_[lpn.value >> chunk_bits];
  if (chunk == nullptr) {
    chunk = std::make_unique<std::uint8_t[]>(chunk_bytes());
    const std::uint64_t index = lpn.value >> chunk_bits;
    if (unmapped_chunks_[index]) {
      unmapped_chunks_[index] = false;
      for (std::uint64_t k = 0; k < chunk_entries; ++k) {
        std::memcpy(&chunk[k * entry_bytes_], &unmapped, entry_bytes_);
      }
    }
  }
  std::memcpy(&chunk[(lpn.value & (chunk_entries - 1)) * entry_bytes_], &entry, entry_bytes_);
}

void MappingTable::unmap(Lpn first, std::uint64_t count) {
  const std::uint64_t end = first.value + count;
  for (std::uint64_t lpn = first.value; lpn < end;) {
    const std::uint64_t index = lpn >> chunk_bits;
    const std::uint64_t next = std::min(end, (index + 1) << chunk_bits);
    if (next - lpn == chunk_entries) {
      chunks_[index].reset();
      unmapped_chunks_[index] = true;
      lpn = next;
    }
    for (; lpn < next; ++lpn) unmap(Lpn(lpn));
  }
}

Lpn MappingTable::next_mapped(Lpn from, Lpn end) const {
  for (std::uint64_t lpn = from.value; lpn < end.value;) {
    const std::uint64_t index = lpn >> chunk_bits;
    const std::uint64_t next = std::min(end.value, (index + 1) << chunk_bits);
    if (chunks_[index] == nullptr && unmapped_chunks_[index]) lpn = next;
    for (; lpn < next; ++lpn) {
      if (find(Lpn(lpn)).valid()) return Lpn(lpn);
    }
  }
  return end;
}

}  // namespace nandscape::controller
