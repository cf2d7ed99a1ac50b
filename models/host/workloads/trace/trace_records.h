// SPDX-License-Identifier: Apache-2.0
// Reads the requests of a trace as they were recorded, one after another, for replay or analysis. Skips records of size
// 0 and, if a device is chosen, records of other devices.
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
  std::string device;  // empty: all
};

void describe(TraceFile& file, ParameterVisitor& visitor);

class TraceRecords {
 public:
  explicit TraceRecords(const TraceFile& file);

  // Gives the next record, or returns false at the end. Throws InputError with the file, the place and the text of a
  // record that cannot be read.
  [[nodiscard]] bool next(TraceRecord& record);

  // Makes an error about the latest record, with its place in the file.
  InputError error(const std::string& what) const { return reader_->error(what); }
  // Whether records have times; valid after the first record was read.
  bool has_times() const { return format_->has_times(); }
  // Number of records of size 0 so far.
  std::uint64_t empty() const { return empty_; }

  // Throws the error for a trace without a record, with the reason.
  [[noreturn]] void throw_no_record() const;

 private:
  bool decode(TraceRecord& record);
  bool is_chosen(const TraceRecord& record);

  TraceFile file_;
  std::unique_ptr<TraceFormat> format_;
  std::unique_ptr<RecordReader> reader_;
  std::uint64_t empty_ = 0;
  std::vector<std::string> devices_passed_over_;  // the first few names of skipped devices, for a message
};

// The whole sectors of 512 bytes that contain a record's bytes.
struct SectorRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

SectorRange sectors_of(const TraceRecord& record);

}  // namespace nandscape::host
