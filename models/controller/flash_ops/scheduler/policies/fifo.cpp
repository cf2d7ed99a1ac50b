// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/scheduling_policy.h"

namespace nandscape::controller {

namespace {

// Serves a die's ops in the order in which they came.
class Fifo final : public SchedulingPolicy {
 public:
  using Parameters = NoParameters;
  Fifo(const Parameters&, std::uint32_t) {}

  std::optional<QueueKind> choose(const DieCandidates& candidates, Tick) const override {
    std::optional<QueueKind> first;
    for (std::size_t kind = 0; kind < queue_kinds; ++kind) {
      const FlashOp* oldest = candidates.first[kind];
      if (oldest == nullptr) continue;
      if (!first || oldest->sequence < candidates[*first]->sequence) first = static_cast<QueueKind>(kind);
    }
    return first;
  }
};

}  // namespace

void register_fifo(SchedulingRegistry& registry) {
  registry.add<Fifo>("fifo", "each die serves its commands in the order of their arrival");
}

}  // namespace nandscape::controller
