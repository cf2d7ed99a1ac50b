// SPDX-License-Identifier: Apache-2.0
#include "nand/page_store.h"

#include <cstring>

namespace nandscape {

void PageStore::write(std::uint64_t row, const std::byte* data) {
  std::unique_ptr<std::byte[]>& page = pages_[row];
  if (page == nullptr) page = std::make_unique_for_overwrite<std::byte[]>(page_bytes_);
  std::memcpy(page.get(), data, page_bytes_);
}

void PageStore::read(std::uint64_t row, std::byte* data) const {
  const auto found = pages_.find(row);
  if (found == pages_.end()) {
    std::memset(data, 0xff, page_bytes_);
  } else {
    std::memcpy(data, found->second.get(), page_bytes_);
  }
}

void PageStore::erase(std::uint64_t first_row, std::uint32_t rows) {
  if (pages_.empty()) return;
  for (std::uint32_t k = 0; k < rows; ++k) pages_.erase(first_row + k);
}

}  // namespace nandscape
