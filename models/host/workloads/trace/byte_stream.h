// SPDX-License-Identifier: Apache-2.0
// The bytes of a trace file after decompression. The file may also be uncompressed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace nandscape::host {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Reads at most `size` bytes, which must be greater than 0, and returns the number of bytes read. Returns 0 only at
  // the end of the stream. Throws InputError with the name of the file if the file cannot be read, is damaged, or ends
  // before its archive ends.
  [[nodiscard]] virtual std::size_t read(char* data, std::size_t size) = 0;
};

// Opens a file. The first bytes of the file, not its name, determine whether it is a gzip, xz or zstd archive.
std::unique_ptr<ByteStream> open_byte_stream(const std::string& path);

}  // namespace nandscape::host
