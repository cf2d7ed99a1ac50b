// SPDX-License-Identifier: Apache-2.0
// Physical Region Pages: where in host memory the data of one command lie.
//
// PRP1 points to the first byte and may have an offset within its memory page. What does not fit into that page lies in
// further pages without offset: PRP2 is the second page when there are two, else a pointer to a list of the pages from
// the second one on. A list ends with its memory page; when more entries are needed than fit, its last entry points to
// the next list.
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
  // A part of a list to be read from host memory.
  struct ListRead {
    std::uint64_t address;
    std::byte* into;
    std::uint32_t bytes;
  };

  // `bytes` of data behind the two PRP fields; list entries are then read for as long as list_needed().
  nvme::Status begin(std::uint64_t prp1, std::uint64_t prp2, std::uint32_t bytes, std::uint32_t page_bytes);

  bool list_needed() const { return list_ != 0; }
  ListRead next_list_read();
  // The entries of next_list_read() are there.
  nvme::Status list_read();

  // Calls visit(address, bytes) for each contiguous piece of the range [offset, offset + bytes) of the data; pages that
  // happen to follow one another in memory make one piece.
  template <class Visit>
  void for_each_piece(std::uint32_t offset, std::uint32_t bytes, Visit visit) const {
    const auto [first, first_bytes, following] = piece_at(offset);
    std::uint64_t start = first;
    std::uint32_t length = std::min(bytes, first_bytes);
    const std::uint64_t* page = following;
    for (std::uint32_t left = bytes - length; left != 0; ++page) {
      const std::uint32_t part = std::min(left, page_bytes_);
      if (*page != start + length) {
        visit(start, length);
        start = *page;
        length = 0;
      }
      length += part;
      left -= part;
    }
    visit(start, length);
  }

 private:
  // What one memory page holds of the data from some offset on, and the entry of the page after it.
  struct Piece {
    std::uint64_t address;
    std::uint32_t bytes;
    const std::uint64_t* following;
  };
  Piece piece_at(std::uint32_t offset) const {
    if (offset < first_bytes_) return {first_ + offset, first_bytes_ - offset, pages_.data()};
    const std::uint32_t rest = offset - first_bytes_;
    const std::uint32_t within = rest & (page_bytes_ - 1);
    const std::uint64_t* page = pages_.data() + (rest >> std::countr_zero(page_bytes_));
    return {*page + within, page_bytes_ - within, page + 1};
  }
  // Makes room for that many pages. Nothing is given back: the commands of a slot are much alike.
  void provide(std::uint32_t pages) {
    if (pages_.size() < pages) [[unlikely]]
      grow(pages);
  }
  [[gnu::noinline]] void grow(std::uint32_t pages) { pages_.resize(pages); }

  std::uint64_t first_ = 0;
  std::uint32_t first_bytes_ = 0;   // in the page of PRP1
  std::uint32_t page_bytes_ = 0;    // a power of two
  std::uint32_t pages_needed_ = 0;  // behind the first one
  std::uint32_t pages_known_ = 0;
  std::uint64_t list_ = 0;  // where the next list begins, 0: all pages are known
  std::uint32_t entries_asked_ = 0;
  std::vector<std::uint64_t> pages_;
};

}  // namespace nandscape::host
