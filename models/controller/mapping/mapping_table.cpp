// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/mapping_table.h"

#include <algorithm>

namespace nandscape::controller {

MappingTable::MappingTable(std::uint64_t logical_pages, std::uint64_t physical_pages, const InitialFill& initial)
    : logical_pages_(logical_pages),
      initial_(initial),
      chunks_((logical_pages >> chunk_bits) + 1),
      entries_(chunks_.size() * chunk_entries, physical_pages + first_page) {}

void MappingTable::persist(Archive& archive) {
  archive.section("mapping table");
  archive.expect("bytes of an entry", entries_.bytes_each());
  if (archive.loading()) entries_.clear();
  archive.table(chunks_, chunks_.size(), "chunks",
                [&](Chunk& chunk) { archive.enumeration(chunk, Chunk::unmapped, "the state of a chunk"); });
  for (std::uint64_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    if (chunks_[chunk] == Chunk::stored) entries_.persist(archive, chunk << chunk_bits, chunk_entries);
  }
}

// Called when an entry of the chunk is to be stored for the first time.
void MappingTable::begin_chunk(std::uint64_t chunk) {
  if (chunks_[chunk] == Chunk::unmapped) {
    for (std::uint64_t k = 0; k < chunk_entries; ++k) entries_.set((chunk << chunk_bits) + k, unmapped);
  }
  chunks_[chunk] = Chunk::stored;
}

void MappingTable::unmap(Lpn first, std::uint64_t count) {
  const std::uint64_t end = first.value + count;
  for (std::uint64_t lpn = first.value; lpn < end;) {
    const std::uint64_t index = lpn >> chunk_bits;
    const std::uint64_t next = std::min(end, (index + 1) << chunk_bits);
    if (next - lpn == chunk_entries) {
      if (chunks_[index] == Chunk::stored) entries_.clear(lpn, chunk_entries);
      chunks_[index] = Chunk::unmapped;
      lpn = next;
    }
    for (; lpn < next; ++lpn) unmap(Lpn(lpn));
  }
}

Lpn MappingTable::next_mapped(Lpn from, Lpn end) const {
  for (std::uint64_t lpn = from.value; lpn < end.value;) {
    const std::uint64_t index = lpn >> chunk_bits;
    const std::uint64_t next = std::min(end.value, (index + 1) << chunk_bits);
    if (chunks_[index] == Chunk::unmapped) lpn = next;
    for (; lpn < next; ++lpn) {
      if (find(Lpn(lpn)).valid()) return Lpn(lpn);
    }
  }
  return end;
}

}  // namespace nandscape::controller
