// SPDX-License-Identifier: Apache-2.0
// The unpacked bytes of a trace, whether its file is compressed or not.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace nandscape::host {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Reads at most `size` > 0 bytes and returns their number, which is 0 only at the end. Throws InputError with the
  // name of the file if it cannot be read, is damaged, or ends before its archive does.
  [[nodiscard]] virtual std::size_t read(char* data, std::size_t size) = 0;
};

// Opens a file. Its first bytes, not its name, say whether it is a gzip, xz or zstd archive.
std::unique_ptr<ByteStream> open_byte_stream(const std::string& path);

}  // namespace nandscape::host
