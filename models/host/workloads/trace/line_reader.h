// SPDX-License-Identifier: Apache-2.0
// Reads the lines of a trace one after another. The lines are not copied.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/workloads/trace/byte_stream.h"
#include "host/workloads/trace/record_reader.h"

namespace nandscape::host {

class LineReader final : public RecordReader {
 public:
  explicit LineReader(const std::string& path);

  // Returns the next line that is neither blank nor a comment (beginning with '#'), without its line ending.
  bool next(std::string_view& line) override;
  InputError error(const std::string& what) const override;
  std::string quoted(std::string_view line) const override;

 private:
  bool next_raw(std::string_view& line);
  bool refill();

  std::string path_;
  std::unique_ptr<ByteStream> stream_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // [begin_, end_): bytes in the buffer that have not yet been returned
  std::size_t end_ = 0;
  bool stream_ended_ = false;
  std::int64_t line_number_ = 0;
};

}  // namespace nandscape::host
