// SPDX-License-Identifier: Apache-2.0
#include "nand/page_store.h"

#include <cstring>

namespace nandscape {

void PageStore::write(std::uint64_t row, const std::byte* data) {
  std::unique_ptr<std::byte[]>& page = pages_[row];
  if (page == nullptr) page = std::make_unique_for_overwrite<std::byte[]>(page_bytes_);
  std::memcpy(page.get(), data, page_bytes_);
}

void PageStore::read(std::uint64_t row, std::uint32_t first_byte, std::uint32_t bytes, std::byte* data) const {
  const auto found = pages_.find(row);
  if (found == pages_.end()) {
    std::memset(data + first_byte, 0xff, bytes);
  } else {
    std::memcpy(data + first_byte, found->second.get() + first_byte, bytes);
  }
}

void PageStore::erase(std::uint64_t first_row, std::uint32_t rows) {
  if (pages_.empty()) return;
  for (std::uint32_t k = 0; k < rows; ++k) pages_.erase(first_row + k);
}

}  // namespace nandscape
