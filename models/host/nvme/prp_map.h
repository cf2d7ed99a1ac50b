// SPDX-License-Identifier: Apache-2.0
// Physical Region Pages: where in host memory the data of one command lie.
//
// PRP1 points to the first byte and may have an offset within its memory page. What does not fit into that page lies in
// further pages without offset: PRP2 is the second page when there are two, else a pointer to a list of the pages from
// the second one on. A list ends with its memory page; when more entries are needed than fit, its last entry points to
// the next list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "protocol/nvme.h"

namespace nandscape {

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
    std::uint64_t start = address_of(offset);
    std::uint32_t length = std::min(bytes, left_in_page(offset));
    for (std::uint32_t done = length; done < bytes;) {
      const std::uint64_t next = address_of(offset + done);
      const std::uint32_t part = std::min(bytes - done, page_bytes_);
      if (next != start + length) {
        visit(start, length);
        start = next;
        length = 0;
      }
      length += part;
      done += part;
    }
    visit(start, length);
  }

 private:
  std::uint64_t address_of(std::uint32_t offset) const {
    if (offset < first_bytes_) return first_ + offset;
    const std::uint32_t rest = offset - first_bytes_;
    return pages_[rest / page_bytes_] + rest % page_bytes_;
  }
  std::uint32_t left_in_page(std::uint32_t offset) const {
    if (offset < first_bytes_) return first_bytes_ - offset;
    return page_bytes_ - (offset - first_bytes_) % page_bytes_;
  }

  std::uint64_t first_ = 0;
  std::uint32_t first_bytes_ = 0;  // in the page of PRP1
  std::uint32_t page_bytes_ = 0;
  std::uint32_t pages_needed_ = 0;  // behind the first one
  std::uint64_t list_ = 0;          // where the next list begins, 0: all pages are known
  std::uint32_t entries_asked_ = 0;
  std::vector<std::uint64_t> pages_;
};

}  // namespace nandscape
