// SPDX-License-Identifier: Apache-2.0
// The bytes of programmed pages of one die, kept only for pages that were written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "core/archive.h"
#include "protocol/page_layout.h"

namespace nandscape::nand {

// What pages hold that were programmed before the simulation began.
class InitialPages {
 public:
  virtual ~InitialPages() = default;
  // `row` numbers the pages of the die.
  virtual void read(std::uint64_t row, std::byte* page) const = 0;
};

class PageStore {
 public:
  enum class Spare : std::uint8_t { left_out, kept };

  // Without `initial` pages, those that were not written in the simulation read as FFh.
  PageStore(const PageLayout& layout, Spare spare, std::unique_ptr<InitialPages> initial = nullptr)
      : layout_(layout),
        spare_(spare),
        page_bytes_(spare == Spare::kept ? layout.total_bytes() : layout.page_bytes),
        initial_(std::move(initial)) {}

  bool keeps_spare() const { return spare_ == Spare::kept; }
  // Of each page.
  std::uint32_t page_bytes() const { return page_bytes_; }

  void write(std::uint64_t row, const std::byte* data);
  // `initial`: a page that was not written is still what it was when the simulation began. Else it reads as FFh, as an
  // erased one does.
  void read(std::uint64_t row, bool initial, std::byte* data) const;
  // The codewords of a part of the page, to their places in `data`, which is as long as a page.
  void read(std::uint64_t row, bool initial, std::uint32_t first_byte, std::uint32_t bytes, std::byte* data);
  void erase(std::uint64_t first_row, std::uint32_t rows);
  // What cells that were left half-way give: bits without meaning, the same at each read. Of the part of the page that
  // read() would fill.
  void read_torn(std::uint64_t row, std::uint32_t first_byte, std::uint32_t bytes, std::byte* data);

  // A part of one page's image to another's, whole codewords with their parity; of the whole page all that is kept of
  // it.
  void copy_part(const std::byte* from, std::uint32_t first_byte, std::uint32_t bytes, std::byte* to) const;

  std::size_t pages() const { return pages_.size(); }

  // The die has so many pages.
  void persist(Archive& archive, std::uint64_t rows);

 private:
  PageLayout layout_;
  Spare spare_;
  std::uint32_t page_bytes_;
  std::unique_ptr<InitialPages> initial_;
  std::unordered_map<std::uint64_t, std::unique_ptr<std::byte[]>> pages_;
  std::unique_ptr<std::byte[]> part_;  // a whole page of which a part is wanted
};

}  // namespace nandscape::nand
