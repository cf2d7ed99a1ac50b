// SPDX-License-Identifier: Apache-2.0
// The bytes of programmed pages of one die, kept only for pages that were written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>

namespace nandscape {

class PageStore {
 public:
  explicit PageStore(std::uint32_t page_bytes) : page_bytes_(page_bytes) {}

  // `row` numbers the pages of the die.
  void write(std::uint64_t row, const std::byte* data);
  // A page that was not written since its block was erased reads as FFh.
  void read(std::uint64_t row, std::byte* data) const { read(row, 0, page_bytes_, data); }
  // A part of the page, to its place in `data`, which is as long as a page.
  void read(std::uint64_t row, std::uint32_t first_byte, std::uint32_t bytes, std::byte* data) const;
  void erase(std::uint64_t first_row, std::uint32_t rows);

  std::size_t pages() const { return pages_.size(); }

 private:
  std::uint32_t page_bytes_;
  std::unordered_map<std::uint64_t, std::unique_ptr<std::byte[]>> pages_;
};

}  // namespace nandscape
