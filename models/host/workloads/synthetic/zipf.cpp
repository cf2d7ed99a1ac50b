// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/synthetic/address_pattern.h"
#include "host/workloads/synthetic/permutation.h"
#include "host/workloads/synthetic/zipf_distribution.h"

namespace nandscape::host {
namespace {

struct ZipfParameters {
  double zipf_theta = 0.99;
  bool zipf_scatter = true;
};

void describe(ZipfParameters& p, ParameterVisitor& v) {
  v.real("zipf_theta", p.zipf_theta, {0, 10}, "",
         "exponent: the k-th most popular address is chosen k^-theta times as often as the first");
  v.boolean("zipf_scatter", p.zipf_scatter,
            "popular addresses are scattered over the footprint; false: they are at its front, in order");
}

class Zipf final : public AddressPattern {
 public:
  using Parameters = ZipfParameters;
  Zipf(const Parameters& parameters, const PatternContext& context)
      : ranks_(context.slots, parameters.zipf_theta),
        scatter_(parameters.zipf_scatter),
        slot_of_rank_(context.slots, context.seed) {}

  std::uint64_t next(std::uint64_t, RandomStream& random) override {
    const std::uint64_t rank = ranks_(random) - 1;
    return scatter_ ? slot_of_rank_(rank) : rank;
  }

 private:
  ZipfDistribution ranks_;
  bool scatter_;
  Permutation slot_of_rank_;
};

}  // namespace

void register_zipf(PatternRegistry& patterns) {
  patterns.add<Zipf>("zipf", "popularity falls with a power of the rank");
}

}  // namespace nandscape::host
