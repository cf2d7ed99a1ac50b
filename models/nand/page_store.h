// SPDX-License-Identifier: Apache-2.0
// The bytes of the pages of one die. Only pages that are written in the simulation need memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "core/archive.h"
#include "protocol/page_layout.h"

namespace nandscape::nand {

// Supplies the content of pages that were programmed before the simulation began.
class InitialPages {
 public:
  virtual ~InitialPages() = default;
  // Reads a page. `row` is the number of the page within the die.
  virtual void read(std::uint64_t row, std::byte* page) const = 0;
};

class PageStore {
 public:
  enum class Spare : std::uint8_t { left_out, kept };

  // If `initial` is null, pages that have not been written in the simulation read as FFh.
  PageStore(const PageLayout& layout, Spare spare, std::unique_ptr<InitialPages> initial = nullptr)
      : layout_(layout),
        spare_(spare),
        page_bytes_(spare == Spare::kept ? layout.total_bytes() : layout.page_bytes),
        initial_(std::move(initial)) {}

  bool keeps_spare() const { return spare_ == Spare::kept; }
  // Returns the number of bytes stored for each page.
  std::uint32_t page_bytes() const { return page_bytes_; }

  void write(std::uint64_t row, const std::byte* data);
  // Reads a page. If the page has not been written in the simulation, it reads as its content from before the
  // simulation if `initial` is true, and otherwise as FFh, like an erased page.
  void read(std::uint64_t row, bool initial, std::byte* data) const;
  // Reads the codewords of a part of the page. `data` has room for a whole page, and each codeword is copied to its
  // position in the page.
  void read(std::uint64_t row, bool initial, std::uint32_t first_byte, std::uint32_t bytes, std::byte* data);
  void erase(std::uint64_t first_row, std::uint32_t rows);
  // Reads a part of a torn page, like read(). The bits are random but the same at each read.
  void read_torn(std::uint64_t row, std::uint32_t first_byte, std::uint32_t bytes, std::byte* data);

  // Copies a part of a page to the same position in another page. The part consists of whole codewords with their
  // parity. If the part is the whole page, all stored spare bytes are copied too.
  void copy_part(const std::byte* from, std::uint32_t first_byte, std::uint32_t bytes, std::byte* to) const;

  std::size_t pages() const { return pages_.size(); }

  // Saves or restores the pages. `rows` is the number of pages of the die.
  void persist(Archive& archive, std::uint64_t rows);

 private:
  PageLayout layout_;
  Spare spare_;
  std::uint32_t page_bytes_;
  std::unique_ptr<InitialPages> initial_;
  std::unordered_map<std::uint64_t, std::unique_ptr<std::byte[]>> pages_;
  std::unique_ptr<std::byte[]> part_;  // buffer for a whole page, of which only a part is copied
};

}  // namespace nandscape::nand
