// SPDX-License-Identifier: Apache-2.0
// Reads the requests of a trace one after another as they were recorded, for replay or analysis. Skips records of size
// 0. If a device is chosen, also skips the records of other devices.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/parameters.h"
#include "host/workloads/trace/record_reader.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {

constexpr std::uint64_t trace_sector_bytes = 512;

struct TraceFile {
  std::string path;
  VariantChoice format{"auto", nullptr};
  std::string device;  // empty: all devices
};

void describe(TraceFile& file, ParameterVisitor& visitor);

class TraceRecords {
 public:
  explicit TraceRecords(const TraceFile& file);

  // Stores the next request in `record`, or returns false at the end of the trace. If a record cannot be read, throws
  // InputError with the file, the position and the text of the record.
  [[nodiscard]] bool next(TraceRecord& record);

  // Makes an error about the latest record, which contains the record's position in the file.
  InputError error(const std::string& what) const { return reader_->error(what); }
  // Returns true if the records have times. Valid only after the first record has been read.
  bool has_times() const { return format_->has_times(); }
  // Returns the number of records of size 0 that have been skipped so far.
  std::uint64_t empty() const { return empty_; }

  // Throws InputError for a trace without any request. The message contains the reason.
  [[noreturn]] void throw_no_record() const;

 private:
  bool decode(TraceRecord& record);
  bool is_chosen(const TraceRecord& record);

  TraceFile file_;
  std::unique_ptr<TraceFormat> format_;
  std::unique_ptr<RecordReader> reader_;
  std::uint64_t empty_ = 0;
  std::vector<std::string> devices_passed_over_;  // names of the first few skipped devices, for a message
};

// A range of 512-byte sectors: all sectors that contain bytes of a record's request.
struct SectorRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

SectorRange sectors_of(const TraceRecord& record);

}  // namespace nandscape::host
