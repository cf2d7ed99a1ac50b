// SPDX-License-Identifier: Apache-2.0
// Tells pages that are written often from others in a memory that does not grow with the device [Park, Du, MSST 2011].
//
// A few Bloom filters share the writes: each write of a page enters the page into one more filter, and in every window
// of so many writes the oldest filter is cleared and becomes the newest. So the number of filters that know a page is
// how often it was written of late; filters weigh the more the newer they are, from 2 down in equal steps.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/ids.h"

namespace nandscape::controller {

class HotPages {
 public:
  HotPages(std::uint32_t filters, std::uint32_t window_writes, double threshold);

  // Counts a write of the page. Whether the page, this write included, is hot: its weights come to the threshold.
  bool write(Lpn lpn);

  void persist(Archive& archive) {
    archive.table(words_, words_.size(), "words of the filters");
    archive.index(newest_, filters_, "the newest filter");
    archive.number(writes_, window_writes_, "the writes of a window");
  }

 private:
  // Bits of a filter for each write of a window. With two hash functions 1.4 % of the pages are taken for others then.
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
  std::uint32_t writes_ = 0;  // in this window
};

}  // namespace nandscape::controller
