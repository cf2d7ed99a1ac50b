// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/synthetic/address_pattern.h"

namespace nandscape::host {
namespace {

class Uniform final : public AddressPattern {
 public:
  using Parameters = NoParameters;
  Uniform(const Parameters&, const PatternContext& context) : slots_(context.slots) {}

  std::uint64_t next(std::uint64_t, RandomStream& random) override { return random.below(slots_); }

 private:
  std::uint64_t slots_;
};

}  // namespace

void register_uniform(PatternRegistry& patterns) {
  patterns.add<Uniform>("uniform", "every address of the footprint is as likely as any other");
}

}  // namespace nandscape::host
