// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/scheduling_policy.h"

namespace nandscape::controller {

namespace {

// Reads of the host first, then its writes, then garbage collection; collection goes first while the host cannot write
// without it.
class OutOfOrder final : public SchedulingPolicy {
 public:
  using Parameters = NoParameters;
  OutOfOrder(const Parameters&, std::uint32_t) {}

  std::optional<QueueKind> choose(const DieCandidates& candidates, Tick) const override {
    using enum QueueKind;
    static constexpr std::array<QueueKind, queue_kinds> relaxed = {host_read, host_write, background_read,
                                                                   background_write, erase};
    static constexpr std::array<QueueKind, queue_kinds> urgent = {erase, background_write, background_read, host_read,
                                                                  host_write};
    for (const QueueKind kind : candidates.collection_urgent ? urgent : relaxed) {
      if (candidates[kind] != nullptr) return kind;
    }
    return std::nullopt;
  }
};

}  // namespace

void register_out_of_order(SchedulingRegistry& registry) {
  registry.add<OutOfOrder>("out_of_order", "each die serves reads of the host first, then its writes, then collection");
}

}  // namespace nandscape::controller
