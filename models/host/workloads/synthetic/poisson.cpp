// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/synthetic/arrival_process.h"

namespace nandscape::host {
namespace {

class Poisson final : public ArrivalProcess {
 public:
  using Parameters = NoParameters;
  Poisson(const Parameters&, double rate_iops) : mean_us_(1e6 / rate_iops) {}

  Tick next(RandomStream& random) override {
    time_ += ticks_from_us(random.exponential(mean_us_));
    return time_;
  }

 private:
  double mean_us_;
  Tick time_ = 0;
};

}  // namespace

void register_poisson(ArrivalRegistry& processes) {
  processes.add<Poisson>("poisson", "independent requests: exponential times between them");
}

}  // namespace nandscape::host
