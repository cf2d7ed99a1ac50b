// SPDX-License-Identifier: Apache-2.0
// Generates a stationary stream of requests. In each span of time, the stream writes an amount N of data to a working
// set of size W.
//
// The working set is the front of the disk. In a whole span, the writes cover the working set evenly in a random order,
// so that the numbers of writes to any two locations differ by at most one. Therefore exactly 1 - W / N of the written
// data is overwritten within the span. Reads are spread evenly over the disk. If the run is shorter than a span, it is
// the beginning of a span.
#pragma once

#include <cstdint>
#include <memory>

#include "core/random.h"
#include "host/workloads/profile/quota.h"
#include "host/workloads/synthetic/arrival_process.h"
#include "host/workloads/synthetic/permutation.h"
#include "host/workloads/volume/volume_parameters.h"
#include "host/workloads/workload_kinds.h"

namespace nandscape::host {

class VolumeSource final : public WorkloadSource {
 public:
  using Parameters = VolumeParameters;

  VolumeSource(const Parameters& parameters, const WorkloadContext& context);

  bool next(HostRequest& request) override;
  std::uint64_t expected_requests() const override { return requests_; }

 private:
  // The amounts of a whole span, as numbers of requests.
  struct Amounts {
    std::uint64_t disk;
    std::uint64_t writes;
    std::uint64_t distinct;
    std::uint64_t reads;
  };
  static Amounts amounts_of(const Parameters& parameters, const WorkloadContext& context);

  const std::uint64_t request_sectors_;
  const std::uint64_t start_sector_;
  const Amounts amounts_;
  const std::uint64_t requests_;
  std::uint64_t made_ = 0;
  std::uint64_t written_ = 0;
  const Permutation order_;                   // the order in which the writes cover the working set
  std::unique_ptr<ArrivalProcess> arrivals_;  // null in a closed loop
  const Tick think_time_;

  Quota read_quota_;
  RandomStream kind_random_;
  RandomStream address_random_;
  RandomStream arrival_random_;
};

void register_volume(WorkloadRegistry& kinds);

}  // namespace nandscape::host
