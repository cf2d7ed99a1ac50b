// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/trace_records.h"

#include <algorithm>

#include "core/error.h"
#include "core/message_text.h"
#include "host/workloads/trace/columns.h"

namespace nandscape::host {
namespace {

constexpr std::size_t longest_header = 200;  // longest part of a table's header that messages quote

}  // namespace

void describe(TraceFile& f, ParameterVisitor& v) {
  v.text("path", f.path, "file of the trace; plain, or compressed with gzip, xz or zstd");
  v.variant("format", f.format, trace_formats(), "format of its records");
  v.text("device", f.device, "only the records of this device, disk, ASU or file; empty: all, as one address space");
}

TraceRecords::TraceRecords(const TraceFile& file)
    : file_(file), format_(trace_formats().make(file.format, file.path)), reader_(open_records(file.path, *format_)) {}

bool TraceRecords::next(TraceRecord& record) {
  while (decode(record)) {
    if (is_chosen(record)) return true;
  }
  return false;
}

bool TraceRecords::decode(TraceRecord& record) {
  std::string_view bytes;
  try {
    while (reader_->next(bytes)) {
      record = {};
      if (format_->decode(bytes, record)) return true;
    }
    return false;
  } catch (const MalformedRecord& fault) {
    throw error(std::string(fault.what()) + "; expected \"" + printable(format_->expected(), longest_header) +
                "\", got: " + reader_->quoted(bytes));
  }
}

bool TraceRecords::is_chosen(const TraceRecord& record) {
  if (!file_.device.empty() && record.device != file_.device) {
    constexpr std::size_t names_kept = 8;
    if (devices_passed_over_.size() < names_kept &&
        std::ranges::find(devices_passed_over_, record.device) == devices_passed_over_.end()) {
      devices_passed_over_.emplace_back(record.device);
    }
    return false;
  }
  if (record.size_bytes == 0 && record.kind != RequestKind::flush) {
    ++empty_;
    return false;
  }
  return true;
}

void TraceRecords::throw_no_record() const {
  std::string reason = empty_ > 0 ? "all of its requests are empty" : "it holds no request";
  if (const std::string substitute = format_->substitute(); !substitute.empty()) reason += "; " + substitute;
  if (!devices_passed_over_.empty()) {
    reason = "none is of device " + quotation(file_.device) + "; it has";
    for (const std::string& device : devices_passed_over_) reason += " " + quotation(device);
  }
  throw InputError({file_.path}, "the trace has no usable record: " + reason + " (format " + file_.format.name +
                                     ", expected \"" + printable(format_->expected(), longest_header) + "\")");
}

SectorRange sectors_of(const TraceRecord& record) {
  const std::uint64_t lead = record.offset_bytes % trace_sector_bytes;
  return {record.offset_bytes / trace_sector_bytes,
          record.size_bytes / trace_sector_bytes +
              (record.size_bytes % trace_sector_bytes + lead + trace_sector_bytes - 1) / trace_sector_bytes};
}

}  // namespace nandscape::host
