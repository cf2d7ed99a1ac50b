// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/synthetic/arrival_process.h"

namespace nandscape::host {
namespace {

class Constant final : public ArrivalProcess {
 public:
  using Parameters = NoParameters;
  Constant(const Parameters&, double rate_iops) : rate_iops_(rate_iops) {}

  // Computes each arrival time from the start of the workload, so that rounding errors do not add up.
  Tick next(RandomStream&) override { return ticks_from_s(static_cast<double>(count_++) / rate_iops_); }

 private:
  double rate_iops_;
  std::uint64_t count_ = 0;
};

}  // namespace

void register_constant(ArrivalRegistry& processes) {
  processes.add<Constant>("constant", "requests at equal intervals");
}

}  // namespace nandscape::host
