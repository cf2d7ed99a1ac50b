// SPDX-License-Identifier: Apache-2.0
// The data of a page within the controller, as far as the simulation keeps them: its bytes, and the number of read
// errors in each codeword.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace nandscape::controller {

struct PageBuffer {
  std::unique_ptr<std::byte[]> data;           // null when the simulation keeps no data
  std::vector<std::uint16_t> codeword_errors;  // empty unless the decoder needs them
  std::vector<std::uint8_t> sensed_ones;       // per bit of the data; empty until a soft read with a real codec
};

class PageBuffers {
 public:
  // The size of each buffer; both numbers may be 0.
  PageBuffers(std::uint32_t bytes, std::uint32_t codewords) : bytes_(bytes), codewords_(codewords) {}

  // Whether buffers hold anything. If not, acquire() must not be called.
  bool used() const { return bytes_ != 0 || codewords_ != 0; }

  // The buffer still holds the bytes of its previous use.
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
