// SPDX-License-Identifier: Apache-2.0
// Recognises reads that go on where an earlier one ended, of a few streams at a time.
#pragma once

#include <array>
#include <cstdint>

namespace nandscape::controller {

class SequentialReads {
 public:
  SequentialReads() { ends_.fill(~std::uint64_t{0}); }

  // Whether the read of the sectors [first, first + count) of the device goes on with a stream.
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
  std::array<std::uint64_t, 8> ends_;  // where the next read of each stream would begin
  std::uint64_t oldest_ = 0;
};

}  // namespace nandscape::controller
