// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/prp_map.h"

namespace nandscape::host {

using nvme::Status;

Status PrpMap::begin_rest(std::uint64_t prp2, std::uint32_t bytes) {
  pages_known_ = 0;
  if (bytes <= page_bytes_) {
    if ((prp2 & (page_bytes_ - 1)) != 0) return Status::prp_offset_invalid;
    provide(1);
    pages_[0] = prp2;
    return Status::success;
  }
  if (prp2 % 8 != 0) return Status::prp_offset_invalid;  // quadword aligned
  if (prp2 == 0) return Status::invalid_field;
  pages_needed_ = (bytes + page_bytes_ - 1) >> std::countr_zero(page_bytes_);
  list_ = prp2;
  return Status::success;
}

PrpMap::ListRead PrpMap::next_list_read() {
  const auto room = (page_bytes_ - static_cast<std::uint32_t>(list_ & (page_bytes_ - 1))) / 8;
  entries_asked_ = std::min(room, pages_needed_ - pages_known_);
  provide(pages_known_ + entries_asked_);
  return {list_, reinterpret_cast<std::byte*>(pages_.data() + pages_known_), entries_asked_ * 8};
}

Status PrpMap::list_read() {
  list_ = 0;
  std::uint64_t offsets = 0;
  for (std::uint32_t k = 0; k < entries_asked_; ++k) offsets |= pages_[pages_known_ + k];
  if ((offsets & (page_bytes_ - 1)) != 0) return Status::prp_offset_invalid;
  pages_known_ += entries_asked_;
  if (pages_known_ < pages_needed_) {  // the last entry that was read points to the next list
    list_ = pages_[--pages_known_];
    if (list_ == 0) return Status::invalid_field;
  }
  return Status::success;
}

PrpMap::Piece PrpMap::piece_of_pages(std::uint32_t offset, std::uint32_t bytes) const {
  std::uint64_t start = first_ + offset;
  std::uint32_t length = first_bytes_ - offset;  // to the end of the memory page
  const std::uint64_t* next_page = pages_.data();
  if (offset >= first_bytes_) {
    const std::uint32_t rest = offset - first_bytes_;
    const std::uint32_t within = rest & (page_bytes_ - 1);
    next_page += rest >> std::countr_zero(page_bytes_);
    start = *next_page++ + within;
    length = page_bytes_ - within;
  }
  for (; length < bytes && *next_page == start + length; ++next_page) length += page_bytes_;
  return {start, std::min(length, bytes)};
}

}  // namespace nandscape::host
