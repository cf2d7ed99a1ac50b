// SPDX-License-Identifier: Apache-2.0
#include "host/pcie/endpoint/msix_table.h"

namespace nandscape::host {

std::uint32_t MsixTable::read(std::uint32_t offset) const {
  if (offset / entry_bytes >= entries_.size()) return 0;
  const Entry& entry = entries_[offset / entry_bytes];
  switch (offset % entry_bytes / 4) {
    case 0: return static_cast<std::uint32_t>(entry.address);
    case 1: return static_cast<std::uint32_t>(entry.address >> 32);
    case 2: return entry.data;
    default: return entry.control;
  }
}

void MsixTable::write(std::uint32_t offset, std::uint32_t value) {
  if (offset / entry_bytes >= entries_.size()) return;
  Entry& entry = entries_[offset / entry_bytes];
  switch (offset % entry_bytes / 4) {
    case 0: entry.address = (entry.address >> 32 << 32) | value; break;
    case 1: entry.address = (entry.address & 0xffff'ffff) | std::uint64_t{value} << 32; break;
    case 2: entry.data = value; break;
    default: entry.control = value & 1; break;
  }
}

std::uint32_t MsixTable::read_pending(std::uint32_t offset) const {
  const std::uint64_t first = std::uint64_t{offset} * 8;
  std::uint32_t bits = 0;
  for (std::uint32_t k = 0; k < 32 && first + k < entries_.size(); ++k) {
    if (entries_[first + k].pending) bits |= 1u << k;
  }
  return bits;
}

}  // namespace nandscape::host
