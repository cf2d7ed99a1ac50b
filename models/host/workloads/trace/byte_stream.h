// SPDX-License-Identifier: Apache-2.0
// The bytes of a trace, whether it is stored as plain text or compressed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace nandscape::host {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Fills at most `size` > 0 bytes and returns how many; 0 only at the end. Throws InputError naming the file when it
  // cannot be read, is damaged, or ends before its archive does.
  virtual std::size_t read(char* data, std::size_t size) = 0;
};

// Opens a file. What it holds, text or a gzip, xz or zstd archive, is told by its first bytes and not by its name.
std::unique_ptr<ByteStream> open_byte_stream(const std::string& path);

}  // namespace nandscape::host
