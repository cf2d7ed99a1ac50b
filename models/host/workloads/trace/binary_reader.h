// SPDX-License-Identifier: Apache-2.0
// Reads the records of a binary trace. The trace format computes the length of each record from the first bytes of the
// record.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/workloads/trace/byte_stream.h"
#include "host/workloads/trace/record_reader.h"

namespace nandscape::host {

class BinaryReader final : public RecordReader {
 public:
  // `format` must outlive the reader.
  BinaryReader(const std::string& path, TraceFormat& format);

  // Also throws MalformedRecord if the format cannot compute the length from the first bytes. In this case `record`
  // contains these bytes.
  bool next(std::string_view& record) override;
  InputError error(const std::string& what) const override;
  std::string quoted(std::string_view record) const override;

 private:
  std::size_t gather(std::size_t size);
  InputError truncated(std::size_t present, std::size_t wanted) const;

  std::string path_;
  TraceFormat& format_;
  std::unique_ptr<ByteStream> stream_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // [begin_, end_): bytes in the buffer that have not yet been returned
  std::size_t end_ = 0;
  bool stream_ended_ = false;
  std::uint64_t records_ = 0;       // records begun so far
  std::uint64_t record_start_ = 0;  // position of the latest record in the decompressed file
  std::uint64_t record_end_ = 0;
};

}  // namespace nandscape::host
