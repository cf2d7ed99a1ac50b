// SPDX-License-Identifier: Apache-2.0
// Reads the bytes of a file without decompressing them.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "host/workloads/trace/byte_stream.h"

namespace nandscape::host {

class RawFile final : public ByteStream {
 public:
  explicit RawFile(const std::string& path);

  // Returns the first bytes of the file, at most eight. Does not consume them: read() returns them again, even if the
  // file is a pipe.
  std::string_view head() const { return head_; }
  const std::string& path() const { return path_; }

  std::size_t read(char* data, std::size_t size) override;

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::size_t read_file(char* data, std::size_t size);

  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::string head_;
  std::size_t head_read_ = 0;
};

}  // namespace nandscape::host
