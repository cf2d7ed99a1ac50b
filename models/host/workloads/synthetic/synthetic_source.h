// SPDX-License-Identifier: Apache-2.0
// Generates requests drawn from distributions.
#pragma once

#include <memory>
#include <vector>

#include "core/random.h"
#include "core/registry.h"
#include "host/workloads/footprint.h"
#include "host/workloads/synthetic/address_pattern.h"
#include "host/workloads/synthetic/arrival_process.h"
#include "host/workloads/workload_kinds.h"

namespace nandscape::host {

// One request size of a mix. The share of the requests with this size is proportional to `weight`.
struct BlockShare {
  std::uint64_t block_bytes = 4096;
  double weight = 1;
};

void describe(BlockShare& share, ParameterVisitor& visitor);

struct SyntheticParameters {
  double read_percent = 70;
  double trim_percent = 0;
  std::uint64_t block_bytes = 4096;
  std::vector<BlockShare> block_mix;
  VariantChoice pattern{"uniform", nullptr};
  std::uint64_t alignment_bytes = 0;
  FootprintParameters footprint;
  std::uint64_t requests = 100'000;
  VariantChoice arrival{"poisson", nullptr};
  double rate_iops = 0;
};

void describe(SyntheticParameters& parameters, ParameterVisitor& visitor);

class SyntheticSource final : public WorkloadSource {
 public:
  using Parameters = SyntheticParameters;

  SyntheticSource(const Parameters& parameters, const WorkloadContext& context);

  bool next(HostRequest& request) override;
  std::uint64_t expected_requests() const override { return requests_; }

 private:
  struct Size {
    std::uint64_t sectors;
    std::uint64_t slots;  // number of slots, each of slot_sectors_, that a request of this size covers
    double share_up_to;   // share of the requests that have this size or one listed before it
  };

  void set_sizes(const Parameters& parameters, const WorkloadContext& context);
  void set_addresses(const Parameters& parameters, const WorkloadContext& context);
  void set_arrivals(const Parameters& parameters, const WorkloadContext& context);

  RequestKind draw_kind();
  const Size& draw_size();

  std::uint64_t requests_;
  std::uint64_t made_ = 0;
  // A request reads if its random number of 53 bits is below the first limit, and trims if it is below the second.
  std::uint64_t reads_below_;
  std::uint64_t reads_and_trims_below_;
  std::vector<Size> sizes_;
  std::uint64_t start_sector_ = 0;
  std::uint64_t slot_sectors_ = 1;
  std::unique_ptr<AddressPattern> pattern_;
  std::unique_ptr<ArrivalProcess> arrivals_;  // null in a closed loop
  Tick think_time_;

  // Each property of a request has a separate random stream. So, for example, a change of the share of reads does not
  // change any address.
  RandomStream kind_random_;
  RandomStream size_random_;
  RandomStream address_random_;
  RandomStream arrival_random_;
};

void register_synthetic(WorkloadRegistry& kinds);

}  // namespace nandscape::host
