// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/synthetic/address_pattern.h"

namespace nandscape::host {
namespace {

class Sequential final : public AddressPattern {
 public:
  using Parameters = NoParameters;
  Sequential(const Parameters&, const PatternContext& context) : slots_(context.slots) {}

  std::uint64_t next(std::uint64_t length, RandomStream&) override {
    if (position_ >= slots_) position_ = 0;
    const std::uint64_t slot = position_;
    position_ += length;
    return slot;
  }

 private:
  std::uint64_t slots_;
  std::uint64_t position_ = 0;
};

}  // namespace

void register_sequential(PatternRegistry& patterns) {
  patterns.add<Sequential>("sequential", "each request follows the one before; at the footprint's end it starts again");
}

}  // namespace nandscape::host
