// SPDX-License-Identifier: Apache-2.0
// Workload kind `requests`: issues the requests that a program has registered under a name (RequestSupply).
#pragma once

#include <memory>
#include <string>

#include "core/parameters.h"
#include "host/workloads/workload_kinds.h"

namespace nandscape::host {

struct GivenParameters {
  std::string source;
  std::uint64_t requests = 0;
};

void describe(GivenParameters& parameters, ParameterVisitor& visitor);

class GivenSource final : public WorkloadSource {
 public:
  using Parameters = GivenParameters;

  // Throws ConfigError if the program supplies no requests under the name `parameters.source`.
  GivenSource(const Parameters& parameters, const WorkloadContext& context);

  bool next(HostRequest& request) override;
  std::uint64_t expected_requests() const override;

 private:
  const std::uint64_t limit_;  // maximum number of requests; 0: no limit
  std::shared_ptr<const RequestSupply> supply_;
  std::unique_ptr<WorkloadSource> source_;
  std::uint64_t taken_ = 0;
};

void register_given(WorkloadRegistry& kinds);

}  // namespace nandscape::host
