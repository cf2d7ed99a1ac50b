// SPDX-License-Identifier: Apache-2.0
#include "nand/page_store.h"

#include <algorithm>
#include <cstring>

#include "core/random.h"

namespace nandscape::nand {

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

void PageStore::read_torn(std::uint64_t row, std::uint32_t first_byte, std::uint32_t bytes, std::byte* data) {
  if (part_ == nullptr) part_ = std::make_unique_for_overwrite<std::byte[]>(page_bytes_);
  std::uint64_t word = mix64(row);
  for (std::uint32_t at = 0; at < page_bytes_; at += sizeof word) {
    word = mix64(word);
    std::memcpy(part_.get() + at, &word, std::min<std::size_t>(sizeof word, page_bytes_ - at));
  }
  copy_part(part_.get(), first_byte, bytes, data);
}

void PageStore::copy_part(const std::byte* from, std::uint32_t first_byte, std::uint32_t bytes, std::byte* to) const {
  std::memcpy(to + first_byte, from + first_byte, bytes);
  if (!keeps_spare()) return;
  if (bytes == layout_.page_bytes) {
    std::memcpy(to + bytes, from + bytes, layout_.spare_bytes);
    return;
  }
  const std::uint32_t first = layout_.parity_byte(first_byte / layout_.codeword_bytes);
  const std::uint32_t end = layout_.parity_byte((first_byte + bytes) / layout_.codeword_bytes);
  std::memcpy(to + first, from + first, end - first);
}

void PageStore::erase(std::uint64_t first_row, std::uint32_t rows) {
  if (pages_.empty()) return;
  for (std::uint32_t k = 0; k < rows; ++k) pages_.erase(first_row + k);
}

void PageStore::persist(Archive& archive, std::uint64_t rows) {
  archive.section("stored pages");
  archive.expect("bytes of a page", page_bytes_);
  archive.map(pages_, rows, "the row of a page",
              [&](std::unique_ptr<std::byte[]>& page) { archive.array(page, page_bytes_); });
}

}  // namespace nandscape::nand
