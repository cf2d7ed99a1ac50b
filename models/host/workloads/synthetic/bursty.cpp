// SPDX-License-Identifier: Apache-2.0
// A Poisson process that is switched on and off. The process runs on a clock that counts only the time in bursts, so
// the reading of this clock determines the burst to which a request belongs.
#include "host/workloads/synthetic/arrival_process.h"

namespace nandscape::host {
namespace {

struct BurstyParameters {
  double burst_on_ms = 10;
  double burst_off_ms = 90;
};

void describe(BurstyParameters& p, ParameterVisitor& v) {
  v.real("burst_on_ms", p.burst_on_ms, {1e-3, 1e9}, "ms", "length of a burst");
  v.real("burst_off_ms", p.burst_off_ms, {0, 1e9}, "ms", "pause between two bursts");
}

class Bursty final : public ArrivalProcess {
 public:
  using Parameters = BurstyParameters;

  // `rate_iops` is the mean rate over bursts and pauses. The rate within a burst is therefore higher.
  Bursty(const Parameters& parameters, double rate_iops)
      : on_(ticks_from_ms(parameters.burst_on_ms)),
        off_(ticks_from_ms(parameters.burst_off_ms)),
        mean_us_(1e6 / rate_iops * parameters.burst_on_ms / (parameters.burst_on_ms + parameters.burst_off_ms)) {}

  Tick next(RandomStream& random) override {
    on_time_ += ticks_from_us(random.exponential(mean_us_));
    return on_time_ + on_time_ / on_ * off_;
  }

 private:
  Tick on_;
  Tick off_;
  double mean_us_;
  Tick on_time_ = 0;
};

}  // namespace

void register_bursty(ArrivalRegistry& processes) {
  processes.add<Bursty>("bursty", "Poisson process during bursts, no requests between them");
}

}  // namespace nandscape::host
