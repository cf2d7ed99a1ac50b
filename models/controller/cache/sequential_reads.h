// SPDX-License-Identifier: Apache-2.0
// Recognises reads that start where an earlier one ended, for up to eight streams at a time.
#pragma once

#include <array>
#include <cstdint>

namespace nandscape::controller {

class SequentialReads {
 public:
  SequentialReads() { ends_.fill(~std::uint64_t{0}); }

  // Whether the read of the device's sectors [first, first + count) continues a stream. Otherwise it starts a new
  // stream, which replaces the oldest.
  bool goes_on(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t& end : ends_) {
      if (end == first) {
        end += count;
        return true;
      }
    }
    ends_[oldest_++ % ends_.size()] = first + count;
    return false;
  }

 private:
  std::array<std::uint64_t, 8> ends_;  // where the next read of each stream begins
  std::uint64_t oldest_ = 0;
};

}  // namespace nandscape::controller
