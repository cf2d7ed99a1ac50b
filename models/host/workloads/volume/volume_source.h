// SPDX-License-Identifier: Apache-2.0
// Generates a stationary stream that, in each span of time, writes an amount N to a working set of size W.
//
// The front of the disk is the working set. In a whole span, the writes cover it evenly in a random order; the numbers
// of writes to two places differ by at most one. So exactly 1 - W / N of the written data is overwritten within the
// span. Reads are spread evenly over the disk. A shorter run is the beginning of a span.
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
  // Amounts of a whole span, in requests.
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
  const Permutation order_;                   // order of the writes
  std::unique_ptr<ArrivalProcess> arrivals_;  // null in a closed loop
  const Tick think_time_;

  Quota read_quota_;
  RandomStream kind_random_;
  RandomStream address_random_;
  RandomStream arrival_random_;
};

void register_volume(WorkloadRegistry& kinds);

}  // namespace nandscape::host
