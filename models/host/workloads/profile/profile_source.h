// SPDX-License-Identifier: Apache-2.0
// Generates a stationary stream of requests that has the given statistics.
//
// The footprint has two parts. The front part is updated: all writes are spread evenly over it. The rest is cold: it is
// only read. A read of updated data has the address of one of the writes of the run, which may be an earlier or a later
// write. The data that it reads thus count as updated even if there are few writes.
//
// Four properties are drawn without replacement, so that even short runs match the statistics: whether a request is a
// read, whether a read is cold, the sizes, and the addresses of writes.
#pragma once

#include <cstdint>
#include <memory>

#include "core/random.h"
#include "host/workloads/profile/profile_parameters.h"
#include "host/workloads/profile/quota.h"
#include "host/workloads/profile/request_sizes.h"
#include "host/workloads/synthetic/arrival_process.h"
#include "host/workloads/synthetic/permutation.h"
#include "host/workloads/workload_kinds.h"

namespace nandscape::host {

class ProfileSource final : public WorkloadSource {
 public:
  using Parameters = ProfileParameters;

  ProfileSource(const Parameters& parameters, const WorkloadContext& context);

  bool next(HostRequest& request) override;
  std::uint64_t expected_requests() const override { return requests_; }

 private:
  // A part of the footprint. The unit is a slot, which has `alignment_bytes` bytes.
  struct Region {
    std::uint64_t first = 0;
    std::uint64_t slots = 0;
  };
  // All reads or all writes of the run. Their sizes are the quantiles of a distribution, in a random order.
  struct Direction {
    Direction(std::uint64_t count, SizeDistribution distribution, std::uint64_t seed);
    std::uint64_t size(std::uint64_t rank) const;
    std::uint64_t largest() const { return count == 0 ? 0 : size(count - 1); }
    std::uint64_t next_size() { return size(order(made++)); }

    std::uint64_t count;
    std::uint64_t made = 0;
    SizeDistribution distribution;
    Permutation order;
  };

  ProfileSource(const Parameters& parameters, const WorkloadContext& context, RequestSizes sizes, std::uint64_t reads);

  void set_regions(const Parameters& parameters, const WorkloadContext& context);
  std::uint64_t slots_of(std::uint64_t bytes) const;
  std::uint64_t place_of_write(std::uint64_t write, std::uint64_t slots) const;
  std::uint64_t place_of_read(std::uint64_t slots);

  std::uint64_t requests_;
  std::uint64_t made_ = 0;
  Direction reads_;
  Direction writes_;
  Quota read_quota_;
  std::uint64_t cold_reads_;
  Quota cold_quota_;

  std::uint64_t slot_bytes_;
  std::uint64_t start_sector_ = 0;
  Region updated_;
  Region cold_;
  Permutation places_;  // maps each write to its part of the updated region
  std::uint64_t place_seed_;

  std::unique_ptr<ArrivalProcess> arrivals_;  // null in a closed loop
  Tick think_time_;

  RandomStream kind_random_;
  RandomStream address_random_;
  RandomStream arrival_random_;
};

void register_profile(WorkloadRegistry& kinds);

}  // namespace nandscape::host
