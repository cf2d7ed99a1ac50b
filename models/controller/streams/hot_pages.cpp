// SPDX-License-Identifier: Apache-2.0
#include "controller/streams/hot_pages.h"

#include <algorithm>
#include <bit>

#include "core/random.h"

namespace nandscape::controller {

HotPages::HotPages(std::uint32_t filters, std::uint32_t window_writes, double threshold)
    : filters_(filters),
      window_writes_(window_writes),
      threshold_(threshold),
      bit_mask_(std::bit_ceil(std::uint64_t{window_writes} * bits_per_write) - 1),
      words_per_filter_(static_cast<std::uint32_t>((bit_mask_ >> 6) + 1)),
      words_(std::size_t{words_per_filter_} * filters) {}

bool HotPages::knows(std::uint32_t filter, std::uint64_t hash) const {
  const std::uint64_t* words = &words_[std::size_t{filter} * words_per_filter_];
  const auto bit = [&](std::uint64_t position) { return (words[position >> 6] >> (position & 63)) & 1; };
  return (bit(hash & bit_mask_) & bit((hash >> 32) & bit_mask_)) != 0;
}

void HotPages::enter(std::uint32_t filter, std::uint64_t hash) {
  std::uint64_t* words = &words_[std::size_t{filter} * words_per_filter_];
  for (const std::uint64_t position : {hash & bit_mask_, (hash >> 32) & bit_mask_}) {
    words[position >> 6] |= std::uint64_t{1} << (position & 63);
  }
}

void HotPages::start_window() {
  newest_ = (newest_ + 1) % filters_;
  const auto first = words_.begin() + static_cast<std::ptrdiff_t>(std::size_t{newest_} * words_per_filter_);
  std::fill_n(first, words_per_filter_, 0);
  writes_ = 0;
}

bool HotPages::write(Lpn lpn) {
  if (writes_ == window_writes_) start_window();
  ++writes_;
  const std::uint64_t hash = mix64(lpn.value);
  double weight = 0;
  bool entered = false;
  for (std::uint32_t age = 0; age < filters_; ++age) {
    const std::uint32_t filter = (newest_ + filters_ - age) % filters_;
    if (!knows(filter, hash)) {
      if (entered) continue;
      enter(filter, hash);
      entered = true;
    }
    weight += 2 - 2.0 * age / filters_;
  }
  return weight >= threshold_;
}

}  // namespace nandscape::controller
