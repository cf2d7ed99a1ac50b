// SPDX-License-Identifier: Apache-2.0
// Converts the fuzzer's input bytes to numbers and strings. Bytes past the end of the input read as zero, so that every
// input is valid.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace nandscape {

class ByteSource {
 public:
  ByteSource(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool empty() const { return size_ == 0; }

  template <class Number>
  Number take() {
    Number number{};
    const std::size_t count = std::min(sizeof(Number), size_);
    std::memcpy(&number, data_, count);
    skip(count);
    return number;
  }

  // Returns a number below `limit`.
  std::size_t below(std::size_t limit) { return take<std::uint16_t>() % limit; }

  std::string text() {
    const std::size_t count = std::min<std::size_t>(take<std::uint8_t>(), size_);
    const std::string text(reinterpret_cast<const char*>(data_), count);
    skip(count);
    return text;
  }

  std::string_view rest() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  void skip(std::size_t count) {
    data_ += count;
    size_ -= count;
  }

  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace nandscape
