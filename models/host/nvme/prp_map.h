// SPDX-License-Identifier: Apache-2.0
// Physical Region Pages (PRP): the addresses of a command's data in host memory.
//
// PRP1 points to the first byte of the data and may have an offset within its memory page. The remaining data lie in
// other pages, from the first byte of each page onward. If the data occupy two pages, PRP2 points to the second page.
// If they occupy more pages, PRP2 points to a list of the pages from the second page onward. A list ends at the end of
// the memory page that contains it. If more entries are needed than fit there, the last entry points to the next list.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "protocol/nvme.h"

namespace nandscape::host {

class PrpMap {
 public:
  // A part of a list that must be read from host memory.
  struct ListRead {
    std::uint64_t address;
    std::byte* into;
    std::uint32_t bytes;
  };

  // Starts with the two PRP fields of a command that transfers `bytes` bytes. Returns an error if one of the fields is
  // invalid. While list_needed() is true, the caller must read the range that next_list_read() returns, and then call
  // list_read().
  nvme::Status begin(std::uint64_t prp1, std::uint64_t prp2, std::uint32_t bytes, std::uint32_t page_bytes) {
    const std::uint32_t to_end_of_page = page_bytes - static_cast<std::uint32_t>(prp1 & (page_bytes - 1));
    first_ = prp1;
    first_bytes_ = std::min(bytes, to_end_of_page);
    page_bytes_ = page_bytes;
    list_ = 0;
    if (prp1 % 4 != 0) [[unlikely]]  // not doubleword aligned
      return nvme::Status::prp_offset_invalid;
    return bytes <= to_end_of_page ? nvme::Status::success : begin_rest(prp2, bytes - to_end_of_page);
  }

  bool list_needed() const { return list_ != 0; }
  ListRead next_list_read();
  // Call when the entries that next_list_read() asked for have arrived. Returns an error if one of them is invalid.
  nvme::Status list_read();

  // A part of the data that is contiguous in memory.
  struct Piece {
    std::uint64_t address;
    std::uint32_t bytes;
  };
  // Returns whether these bytes of the data lie in the page of PRP1, so that they are one piece.
  bool in_first_page(std::uint32_t offset, std::uint32_t bytes) const { return offset + bytes <= first_bytes_; }
  // Returns the longest piece that begins at `offset` within the data and has at most `bytes` bytes. Pages that are
  // adjacent in memory belong to the same piece.
  Piece piece_at(std::uint32_t offset, std::uint32_t bytes) const {
    if (in_first_page(offset, bytes)) return {first_ + offset, bytes};
    return piece_of_pages(offset, bytes);
  }

 private:
  // Evaluates PRP2, which describes the `bytes` bytes of data that follow the page of PRP1. Returns an error if PRP2 is
  // invalid.
  nvme::Status begin_rest(std::uint64_t prp2, std::uint32_t bytes);
  // piece_at() for a range that does not lie in the page of PRP1.
  Piece piece_of_pages(std::uint32_t offset, std::uint32_t bytes) const;
  // Makes room for `pages` entries. The memory is never released, because the commands that use the same slot one after
  // another are of similar size.
  void provide(std::uint32_t pages) {
    if (pages_.size() < pages) [[unlikely]]
      grow(pages);
  }
  [[gnu::noinline]] void grow(std::uint32_t pages) { pages_.resize(pages); }

  std::uint64_t first_ = 0;
  std::uint32_t first_bytes_ = 0;   // number of data bytes in the page of PRP1
  std::uint32_t page_bytes_ = 0;    // a power of two
  std::uint32_t pages_needed_ = 0;  // number of pages after the first page; valid if a list is needed
  std::uint32_t pages_known_ = 0;
  std::uint64_t list_ = 0;  // address of the next list; 0 if all pages are known
  std::uint32_t entries_asked_ = 0;
  std::vector<std::uint64_t> pages_;
};

}  // namespace nandscape::host
