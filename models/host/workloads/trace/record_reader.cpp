// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/record_reader.h"

#include "host/workloads/trace/binary_reader.h"
#include "host/workloads/trace/line_reader.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {

std::unique_ptr<RecordReader> open_records(const std::string& path, TraceFormat& format) {
  if (format.head_bytes() != 0) return std::make_unique<BinaryReader>(path, format);
  return std::make_unique<LineReader>(path);
}

}  // namespace nandscape::host
