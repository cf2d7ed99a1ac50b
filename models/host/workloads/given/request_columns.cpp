// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/given/request_columns.h"

#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "host/workloads/given/request_checks.h"
#include "host/workloads/workload_checks.h"

namespace nandscape::host {

namespace {

[[noreturn]] void refuse_item(std::string_view column, std::size_t index, const std::string& what) {
  throw InputError({"requests"}, std::string(column) + "[" + std::to_string(index) + "] " + what);
}

template <class T>
void check_length(std::string_view column, const std::vector<T>& values, std::size_t expected) {
  if (values.size() == expected) return;
  throw InputError({"requests"}, std::string(column) + " has " + std::to_string(values.size()) +
                                     " values and operation has " + std::to_string(expected) +
                                     "; all columns must have the same length");
}

class ColumnSource final : public WorkloadSource {
 public:
  ColumnSource(const RequestColumns& columns, const WorkloadContext& context)
      : columns_(columns), timed_(context.open_loop), forces_(!columns.fua.empty()), think_time_(context.think_time) {}

  bool next(HostRequest& request) override {
    if (taken_ == columns_.size()) return false;
    const std::size_t k = taken_++;
    request.kind = columns_.operation[k];
    request.first = Lba(columns_.offset_bytes[k] / bytes_per_sector);
    request.sectors = columns_.size_bytes[k] / bytes_per_sector;
    request.at = timed_ ? columns_.time[k] : think_time_;
    request.force_unit_access = forces_ && columns_.fua[k] != 0;
    return true;
  }

  std::uint64_t expected_requests() const override { return columns_.size(); }

 private:
  const RequestColumns& columns_;
  const bool timed_;
  const bool forces_;
  const Tick think_time_;
  std::size_t taken_ = 0;
};

}  // namespace

void check(const RequestColumns& columns) {
  const std::size_t size = columns.size();
  if (size == 0) throw InputError({"requests"}, "operation is empty; a workload needs at least one request");
  check_length("offset_bytes", columns.offset_bytes, size);
  check_length("size_bytes", columns.size_bytes, size);
  if (!columns.time.empty()) check_length("time_us", columns.time, size);
  if (!columns.fua.empty()) check_length("fua", columns.fua, size);
  for (std::size_t k = 0; k < size; ++k) {
    const GivenRequest request{columns.operation[k], columns.offset_bytes[k], columns.size_bytes[k],
                               !columns.fua.empty() && columns.fua[k] != 0};
    if (const Complaint complaint = complaint_of(request)) refuse_item(complaint.column, k, complaint.what);
  }
  for (std::size_t k = 0; k < columns.time.size(); ++k) {
    const Tick before = k == 0 ? 0 : columns.time[k - 1];
    if (const Complaint complaint = complaint_of_time(columns.time[k], before)) {
      refuse_item(complaint.column, k, complaint.what);
    }
  }
}

ColumnSupply::ColumnSupply(RequestColumns columns) : columns_(std::move(columns)) { check(columns_); }

std::unique_ptr<WorkloadSource> ColumnSupply::open(const WorkloadContext& context) const {
  if (context.open_loop && columns_.time.empty()) {
    throw ConfigError({}, context.path + ".pacing",
                      "the requests have no time_us, but an open loop needs it; give times or set pacing: closed");
  }
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Complaint complaint = complaint_of_range(columns_.offset_bytes[k], columns_.size_bytes[k], context);
    if (complaint) refuse_item(complaint.column, k, complaint.what);
  }
  return std::make_unique<ColumnSource>(columns_, context);
}

}  // namespace nandscape::host
