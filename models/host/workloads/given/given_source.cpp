// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/given/given_source.h"

#include <algorithm>

#include "core/message_text.h"
#include "host/workloads/workload_checks.h"

namespace nandscape::host {

namespace {

std::shared_ptr<const RequestSupply> supply_of(const std::string& name, const WorkloadContext& context) {
  if (context.supplies != nullptr) {
    if (const auto given = context.supplies->find(name); given != context.supplies->end()) return given->second;
  }
  refuse(context, "source",
         "no requests are given under the name " + quotation(name) +
             ": a workload of kind 'requests' plays requests that a program supplies (nandscape.requests in Python, "
             "the constructor of Simulation in C++); a file cannot hold them");
}

}  // namespace

void describe(GivenParameters& p, ParameterVisitor& v) {
  v.text("source", p.source, "name under which a program supplies the requests");
  v.integer("requests", p.requests, {}, "", "most requests to take; 0: all");
}

GivenSource::GivenSource(const Parameters& parameters, const WorkloadContext& context)
    : limit_(parameters.requests), supply_(supply_of(parameters.source, context)), source_(supply_->open(context)) {}

bool GivenSource::next(HostRequest& request) {
  if (limit_ != 0 && taken_ == limit_) return false;
  ++taken_;
  return source_->next(request);
}

std::uint64_t GivenSource::expected_requests() const {
  const std::uint64_t all = source_->expected_requests();
  return limit_ == 0 ? all : all == 0 ? limit_ : std::min(all, limit_);
}

void register_given(WorkloadRegistry& kinds) {
  kinds.add<GivenSource>("requests",
                         "requests that a program supplies, as arrays or one by one; a file cannot hold them");
}

}  // namespace nandscape::host
