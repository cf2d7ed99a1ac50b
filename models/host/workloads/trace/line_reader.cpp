// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/line_reader.h"

#include <cstring>

#include "host/workloads/trace/message_text.h"

namespace nandscape::host {
namespace {

// The length of the longest line that is accepted. A file with a longer line is not text.
constexpr std::size_t buffer_bytes = 1 << 18;

}  // namespace

LineReader::LineReader(const std::string& path) : path_(path), stream_(open_byte_stream(path)), buffer_(buffer_bytes) {}

bool LineReader::next(std::string_view& line) {
  while (next_raw(line)) {
    const std::size_t text = line.find_first_not_of(" \t");
    if (text != std::string_view::npos && line[text] != '#') return true;
  }
  return false;
}

InputError LineReader::error(const std::string& what) const { return {{path_, static_cast<int>(line_number_)}, what}; }

std::string LineReader::quoted(std::string_view line) const { return quoted_line(line); }

bool LineReader::next_raw(std::string_view& line) {
  std::size_t searched = 0;
  for (;;) {
    const char* start = buffer_.data() + begin_;
    const std::size_t available = end_ - begin_;
    const void* newline = available == searched ? nullptr : std::memchr(start + searched, '\n', available - searched);
    if (newline != nullptr) {
      const auto length = static_cast<std::size_t>(static_cast<const char*>(newline) - start);
      line = {start, length};
      begin_ += length + 1;
      break;
    }
    searched = available;
    if (refill()) continue;
    if (available == 0) return false;
    line = {buffer_.data() + begin_, available};  // the last line, without a newline
    begin_ = end_;
    break;
  }
  ++line_number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

// Moves the unread bytes to the front of the buffer and reads more bytes behind them. Returns false at the end of the
// stream. Throws InputError if the buffer is full, because the line is then too long.
bool LineReader::refill() {
  if (stream_ended_) return false;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) {
    throw InputError({path_, static_cast<int>(line_number_ + 1)},
                     "the line is longer than " + std::to_string(buffer_bytes) + " bytes; is this a text file?");
  }
  const std::size_t count = stream_->read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += count;
  stream_ended_ = count == 0;
  return !stream_ended_;
}

}  // namespace nandscape::host
