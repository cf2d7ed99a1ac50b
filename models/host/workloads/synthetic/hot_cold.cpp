// SPDX-License-Identifier: Apache-2.0
// Two classes of data, hot and cold [Rosenblum, Ousterhout 1992]. Accesses are uniform within each class. The hot class
// is at the front of the footprint.
#include <algorithm>

#include "host/workloads/synthetic/address_pattern.h"

namespace nandscape::host {
namespace {

struct HotColdParameters {
  double hot_space_percent = 20;
  double hot_access_percent = 80;
};

void describe(HotColdParameters& p, ParameterVisitor& v) {
  v.real("hot_space_percent", p.hot_space_percent, {0, 100}, "percent", "share of the footprint that is hot");
  v.real("hot_access_percent", p.hot_access_percent, {0, 100}, "percent",
         "share of the requests that access the hot part");
}

class HotCold final : public AddressPattern {
 public:
  using Parameters = HotColdParameters;

  // Each class has at least one slot, even if its share of the footprint is tiny, because each class may receive
  // requests.
  HotCold(const Parameters& parameters, const PatternContext& context)
      : hot_share_(parameters.hot_access_percent / 100),
        hot_slots_(std::clamp<std::uint64_t>(
            static_cast<std::uint64_t>(static_cast<double>(context.slots) * parameters.hot_space_percent / 100), 1,
            std::max<std::uint64_t>(context.slots - 1, 1))),
        cold_slots_(context.slots - hot_slots_) {}

  std::uint64_t next(std::uint64_t, RandomStream& random) override {
    const bool hot = random.uniform() < hot_share_ || cold_slots_ == 0;
    return hot ? random.below(hot_slots_) : hot_slots_ + random.below(cold_slots_);
  }

 private:
  double hot_share_;
  std::uint64_t hot_slots_;
  std::uint64_t cold_slots_;
};

}  // namespace

void register_hot_cold(PatternRegistry& patterns) {
  patterns.add<HotCold>("hot_cold", "a hot part of the footprint gets most requests; uniform within each part");
}

}  // namespace nandscape::host
