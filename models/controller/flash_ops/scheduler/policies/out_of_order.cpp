// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/scheduling_policy.h"

namespace nandscape::controller {

namespace {

// Host reads first, then host writes, then garbage collection. Collection goes first while the host needs it to write.
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
  registry.add<OutOfOrder>("out_of_order", "each die serves host reads first, then host writes, then collection");
}

}  // namespace nandscape::controller
