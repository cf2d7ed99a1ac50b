// SPDX-License-Identifier: Apache-2.0
#include "nand/page_store.h"

#include <cstring>

namespace nandscape {

void PageStore::write(std::uint64_t row, const std::byte* data) {
  std::unique_ptr<std::byte[]>& page = pages_[row];
  if (page == nullptr) page = std::make_unique_for_overwrite<std::byte[]>(page_bytes_);
  std::memcpy(page.get(), data, page_bytes_);
}

void PageStore::read(std::uint64_t row, bool initial, std::byte* data) const {
  const auto found = pages_.find(row);
  if (found != pages_.end()) {
    std::memcpy(data, found->second.get(), page_bytes_);
  } else if (initial && initial_ != nullptr) {
    initial_->read(row, data);
  } else {
    std::memset(data, 0xff, page_bytes_);
  }
}

void PageStore::read(std::uint64_t row, bool initial, std::uint32_t first_byte, std::uint32_t bytes, std::byte* data) {
  if (part_ == nullptr) part_ = std::make_unique_for_overwrite<std::byte[]>(page_bytes_);
  read(row, initial, part_.get());
  copy_part(part_.get(), first_byte, bytes, data);
}

void PageStore::copy_part(const std::byte* from, std::uint32_t first_byte, std::uint32_t bytes, std::byte* to) const {
  std::memcpy(to + first_byte, from + first_byte, bytes);
  if (!keeps_spare()) return;
  const std::uint32_t first = layout_.parity_byte(first_byte / layout_.codeword_bytes);
  const std::uint32_t end = layout_.parity_byte((first_byte + bytes) / layout_.codeword_bytes);
  std::memcpy(to + first, from + first, end - first);
}

void PageStore::erase(std::uint64_t first_row, std::uint32_t rows) {
  if (pages_.empty()) return;
  for (std::uint32_t k = 0; k < rows; ++k) pages_.erase(first_row + k);
}

}  // namespace nandscape
