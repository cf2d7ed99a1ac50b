// SPDX-License-Identifier: Apache-2.0
// Buffers for the pages that are inside the controller. A buffer holds the part of a page that the simulation stores:
// the bytes, and the number of read errors in each codeword.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace nandscape::controller {

struct PageBuffer {
  std::unique_ptr<std::byte[]> data;           // null when the simulation keeps no data
  std::vector<std::uint16_t> codeword_errors;  // empty unless the decoder needs error counts
  std::vector<std::uint8_t> sensed_ones;       // senses that read 1, per bit; empty until a soft read with a real codec
};

class PageBuffers {
 public:
  // `bytes` and `codewords` are the size of each buffer. Both may be 0.
  PageBuffers(std::uint32_t bytes, std::uint32_t codewords) : bytes_(bytes), codewords_(codewords) {}

  // Whether the buffers have a size other than 0. Otherwise acquire() must not be called.
  bool used() const { return bytes_ != 0 || codewords_ != 0; }

  // Returns a free buffer, which still contains the bytes of its previous use.
  PageBuffer& acquire() {
    if (free_.empty()) {
      buffers_.push_back(std::make_unique<PageBuffer>());
      if (bytes_ != 0) buffers_.back()->data = std::make_unique<std::byte[]>(bytes_);
      buffers_.back()->codeword_errors.resize(codewords_);
      free_.push_back(buffers_.back().get());
    }
    PageBuffer& buffer = *free_.back();
    free_.pop_back();
    return buffer;
  }
  void release(PageBuffer& buffer) { free_.push_back(&buffer); }

 private:
  std::uint32_t bytes_;
  std::uint32_t codewords_;
  std::vector<std::unique_ptr<PageBuffer>> buffers_;
  std::vector<PageBuffer*> free_;
};

}  // namespace nandscape::controller
