// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/binary_reader.h"

#include <algorithm>
#include <cstring>

#include "host/workloads/trace/message_text.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

constexpr std::size_t buffer_bytes = 1 << 18;

}  // namespace

BinaryReader::BinaryReader(const std::string& path, TraceFormat& format)
    : path_(path), format_(format), stream_(open_byte_stream(path)), buffer_(buffer_bytes) {}

bool BinaryReader::next(std::string_view& record) {
  const std::size_t head_bytes = format_.head_bytes();
  const std::size_t present = gather(head_bytes);
  if (present == 0) return false;
  ++records_;
  record_start_ = record_end_;
  if (present < head_bytes) throw truncated(present, head_bytes);
  record = {buffer_.data() + begin_, head_bytes};
  const std::size_t size = format_.record_bytes(record);
  const std::size_t available = gather(size);
  if (available < size) throw truncated(available, size);
  record = {buffer_.data() + begin_, size};
  begin_ += size;
  record_end_ = record_start_ + size;
  return true;
}

InputError BinaryReader::error(const std::string& what) const {
  return {{path_}, "record " + std::to_string(records_) + ", at byte " + std::to_string(record_start_) + ": " + what};
}

std::string BinaryReader::quoted(std::string_view record) const { return quoted_bytes(record); }

InputError BinaryReader::truncated(std::size_t present, std::size_t wanted) const {
  return error("the file ends after " + std::to_string(present) + " of its " + std::to_string(wanted) +
               " bytes; it is truncated");
}

// Reads until the buffer contains `size` bytes. Returns the number of available bytes, at most `size`; it is less than
// `size` only at the end of the file.
std::size_t BinaryReader::gather(std::size_t size) {
  if (size > buffer_.size()) buffer_.resize(size);
  while (end_ - begin_ < size && !stream_ended_) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const std::size_t count = stream_->read(buffer_.data() + end_, buffer_.size() - end_);
    end_ += count;
    stream_ended_ = count == 0;
  }
  return std::min(end_ - begin_, size);
}

}  // namespace nandscape::host
