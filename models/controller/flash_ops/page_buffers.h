// SPDX-License-Identifier: Apache-2.0
// What belongs to a page on its way through the controller, where the simulation keeps it: its bytes, and how many
// errors each of its codewords was read with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace nandscape::controller {

struct PageBuffer {
  std::unique_ptr<std::byte[]> data;           // null when the simulation keeps no data
  std::vector<std::uint16_t> codeword_errors;  // empty when nobody asks for them
  std::vector<std::uint8_t> sensed_ones;       // of each bit of the data; empty until a soft read of a real codec
};

class PageBuffers {
 public:
  // Of so many bytes and codewords each, either of which may be 0.
  PageBuffers(std::uint32_t bytes, std::uint32_t codewords) : bytes_(bytes), codewords_(codewords) {}

  // Whether buffers hold anything; otherwise there are none to be acquired.
  bool used() const { return bytes_ != 0 || codewords_ != 0; }

  // Its bytes are those of the page that used it last.
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
