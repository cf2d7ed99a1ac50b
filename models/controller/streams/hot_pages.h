// SPDX-License-Identifier: Apache-2.0
// Detects pages that are written frequently. The memory that this needs does not grow with the size of the drive [Park,
// Du, MSST 2011].
//
// Several Bloom filters store the pages that have been written. Each write of a page adds it to one more filter. After
// every `window_writes` writes, the oldest filter is cleared and becomes the newest. Therefore the number of filters
// that contain a page is a measure of its recent writes. The newest filter has a weight of 2, and the weights of older
// filters decrease in equal steps.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/ids.h"

namespace nandscape::controller {

class HotPages {
 public:
  HotPages(std::uint32_t filters, std::uint32_t window_writes, double threshold);

  // Records a write of the page. Returns whether the page is hot now, which is true if the sum of the weights of the
  // filters that contain it reaches the threshold.
  bool write(Lpn lpn);

  void persist(Archive& archive) {
    archive.table(words_, words_.size(), "words of the filters");
    archive.index(newest_, filters_, "the newest filter");
    archive.number(writes_, window_writes_, "the writes of a window");
  }

 private:
  // Bits of a filter for each write of a window. With two hash functions, 1.4 % of the pages are false positives.
  static constexpr std::uint32_t bits_per_write = 16;

  bool knows(std::uint32_t filter, std::uint64_t hash) const;
  void enter(std::uint32_t filter, std::uint64_t hash);
  void start_window();

  std::uint32_t filters_;
  std::uint32_t window_writes_;
  double threshold_;
  std::uint64_t bit_mask_;
  std::uint32_t words_per_filter_;
  std::vector<std::uint64_t> words_;
  std::uint32_t newest_ = 0;
  std::uint32_t writes_ = 0;  // number of writes in the current window
};

}  // namespace nandscape::controller
