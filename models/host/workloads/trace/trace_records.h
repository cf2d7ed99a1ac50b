// SPDX-License-Identifier: Apache-2.0
// The requests of a trace as they were recorded, one after another, for whoever replays or studies it. Records of no
// bytes are passed over, and of other devices where one is chosen.
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

  // The next record, or false at the end. Throws InputError naming file, place and text of one that cannot be read.
  bool next(TraceRecord& record);

  // An error that tells what is wrong with the latest record and where it stands.
  InputError error(const std::string& what) const { return reader_->error(what); }
  // Whether records carry times, once the first of them was read.
  bool has_times() const { return format_->has_times(); }
  // Records of no bytes so far.
  std::uint64_t empty() const { return empty_; }

  // For a trace that has come to its end without a record: why.
  [[noreturn]] void throw_no_record() const;

 private:
  bool decode(TraceRecord& record);
  bool is_chosen(const TraceRecord& record);

  TraceFile file_;
  std::unique_ptr<TraceFormat> format_;
  std::unique_ptr<RecordReader> reader_;
  std::uint64_t empty_ = 0;
  std::vector<std::string> devices_passed_over_;  // the first few names, for a message
};

// The whole sectors of 512 bytes that hold a record's bytes.
struct SectorRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

SectorRange sectors_of(const TraceRecord& record);

}  // namespace nandscape::host
