// SPDX-License-Identifier: Apache-2.0
// The bytes of the pages of one die; memory is used only for pages written in the simulation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "core/archive.h"
#include "protocol/page_layout.h"

namespace nandscape::nand {

// The content of pages that were programmed before the simulation began.
class InitialPages {
 public:
  virtual ~InitialPages() = default;
  // `row` numbers the pages of the die.
  virtual void read(std::uint64_t row, std::byte* page) const = 0;
};

class PageStore {
 public:
  enum class Spare : std::uint8_t { left_out, kept };

  // Without `initial` pages, pages that were not written in the simulation read as FFh.
  PageStore(const PageLayout& layout, Spare spare, std::unique_ptr<InitialPages> initial = nullptr)
      : layout_(layout),
        spare_(spare),
        page_bytes_(spare == Spare::kept ? layout.total_bytes() : layout.page_bytes),
        initial_(std::move(initial)) {}

  bool keeps_spare() const { return spare_ == Spare::kept; }
  // Stored bytes of each page.
  std::uint32_t page_bytes() const { return page_bytes_; }

  void write(std::uint64_t row, const std::byte* data);
  // Reads a page that was not written in the simulation as its initial content if `initial` is set, else as FFh, like
  // an erased page.
  void read(std::uint64_t row, bool initial, std::byte* data) const;
  // Reads the codewords of a part of the page into their places in `data`, which is as long as a page.
  void read(std::uint64_t row, bool initial, std::uint32_t first_byte, std::uint32_t bytes, std::byte* data);
  void erase(std::uint64_t first_row, std::uint32_t rows);
  // Reads a torn page: meaningless bits, the same at each read. Fills the same part of the page as read().
  void read_torn(std::uint64_t row, std::uint32_t first_byte, std::uint32_t bytes, std::byte* data);

  // Copies a part of a page image, whole codewords with their parity. A copy of the whole page includes all spare bytes
  // kept.
  void copy_part(const std::byte* from, std::uint32_t first_byte, std::uint32_t bytes, std::byte* to) const;

  std::size_t pages() const { return pages_.size(); }

  // `rows` is the number of pages of the die.
  void persist(Archive& archive, std::uint64_t rows);

 private:
  PageLayout layout_;
  Spare spare_;
  std::uint32_t page_bytes_;
  std::unique_ptr<InitialPages> initial_;
  std::unordered_map<std::uint64_t, std::unique_ptr<std::byte[]>> pages_;
  std::unique_ptr<std::byte[]> part_;  // scratch: a whole page of which a part is copied
};

}  // namespace nandscape::nand
