// SPDX-License-Identifier: Apache-2.0
// The lines of a trace, one after another, without a copy of each.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "host/workloads/trace/byte_stream.h"

namespace nandscape::host {

class LineReader {
 public:
  explicit LineReader(const std::string& path);

  // The next line that is neither blank nor a comment ('#'), without its line ending; false at the end. The text stays
  // valid until the next call.
  bool next(std::string_view& line);

  // Where the latest line stands.
  SourceLocation location() const { return {path_, static_cast<int>(line_number_)}; }
  const std::string& path() const { return path_; }

 private:
  bool next_raw(std::string_view& line);
  bool refill();

  std::string path_;
  std::unique_ptr<ByteStream> stream_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // [begin_, end_) is what was read and not yet given out
  std::size_t end_ = 0;
  bool stream_ended_ = false;
  std::int64_t line_number_ = 0;
};

}  // namespace nandscape::host
