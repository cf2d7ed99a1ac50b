// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/given/pulled_requests.h"

#include <string>
#include <utility>

#include "core/error.h"
#include "host/workloads/workload_checks.h"

namespace nandscape::host {

PulledSource::PulledSource(Pull pull, const WorkloadContext& context) : pull_(std::move(pull)), context_(context) {}

bool PulledSource::next(HostRequest& request) {
  while (!next_of_batch(request)) {
    Pulled pulled = pull();
    if (pulled.what == Pulled::What::end) return false;
    if (pulled.what == Pulled::What::request) {
      take(pulled.request, pulled.time, request);
      return true;
    }
    if (context_.open_loop && pulled.columns.time.empty()) {
      throw InputError({"requests"}, "the batch from request " + std::to_string(number_) +
                                         " on has no time_us; an open loop needs it");
    }
    batch_ = std::move(pulled.columns);
    taken_of_batch_ = 0;
  }
  return true;
}

Pulled PulledSource::pull() {
  if (!context_.call_out) return pull_();
  Pulled pulled;
  context_.call_out([&] { pulled = pull_(); });
  return pulled;
}

bool PulledSource::next_of_batch(HostRequest& request) {
  if (taken_of_batch_ == batch_.size()) return false;
  const std::size_t k = taken_of_batch_++;
  const GivenRequest given{batch_.operation[k], batch_.offset_bytes[k], batch_.size_bytes[k],
                           !batch_.fua.empty() && batch_.fua[k] != 0};
  take(given, context_.open_loop ? batch_.time[k] : 0, request);
  return true;
}

void PulledSource::take(const GivenRequest& given, Tick time, HostRequest& request) {
  Complaint complaint = complaint_of(given);
  if (!complaint) complaint = complaint_of_range(given.offset_bytes, given.size_bytes, context_);
  if (!complaint && context_.open_loop) complaint = complaint_of_time(time, latest_);
  if (complaint) {
    throw InputError({"requests"}, "request " + std::to_string(number_) + ": " + std::string(complaint.column) + " " +
                                       complaint.what);
  }
  ++number_;
  latest_ = time;
  request.kind = given.operation;
  request.first = Lba(given.offset_bytes / bytes_per_sector);
  request.sectors = given.size_bytes / bytes_per_sector;
  request.at = context_.open_loop ? time : context_.think_time;
  request.force_unit_access = given.fua;
}

}  // namespace nandscape::host
