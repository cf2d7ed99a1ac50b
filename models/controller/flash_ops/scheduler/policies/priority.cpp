// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "controller/flash_ops/scheduler/scheduling_policy.h"

namespace nandscape::controller {

namespace {

struct PriorityParameters {
  double aging_us = 10000;
};

void describe(PriorityParameters& p, ParameterVisitor& v) {
  v.real("aging_us", p.aging_us, {1, 1e9}, "us", "waiting so long counts as much as one class of priority");
}

// Four classes of the host (see PageAccess::priority) and behind them what the device does of its own accord; the class
// with the lowest number goes first, and within a class reads go before writes. Whoever waits moves up by one class for
// each aging time, beyond the first class if need be, so that what was there before all others goes at last.
class Priority final : public SchedulingPolicy {
 public:
  using Parameters = PriorityParameters;
  Priority(const Parameters& p, std::uint32_t) : aging_(ticks_from_us(p.aging_us)) {}

  std::optional<QueueKind> choose(const DieCandidates& c, Tick now) const override {
    using enum QueueKind;
    static constexpr std::array<QueueKind, queue_kinds> relaxed = {host_read, host_write, background_read,
                                                                   background_write, erase};
    static constexpr std::array<QueueKind, queue_kinds> urgent = {erase, background_write, background_read, host_read,
                                                                  host_write};
    // No class waits for blocks to write to.
    if (c.collection_urgent) {
      for (const QueueKind kind : urgent) {
        if (c[kind] != nullptr) return kind;
      }
      return std::nullopt;
    }
    std::optional<QueueKind> best;
    for (const QueueKind kind : relaxed) {
      if (c[kind] != nullptr && (!best || aged_class(*c[kind], now) < aged_class(*c[*best], now))) best = kind;
    }
    if (best && c.suspended != nullptr && !may_suspend(*c[*best], *c.suspended, now)) return std::nullopt;
    return best;
  }

  bool keeps_account() const override { return true; }

  // By the time at which the op would have been first of all if it were urgent: that order never changes.
  void insert(OpQueue& queue, FlashOp& op, Tick) override {
    op.rank = due(op);
    if (queue.empty() || queue.back()->rank <= op.rank) return queue.push(op);
    FlashOp* before = nullptr;
    for (FlashOp* t = queue.front(); t->rank <= op.rank; t = t->next) before = t;
    queue.insert_after(before, op);
  }

  bool may_suspend(const FlashOp& read, const FlashOp& under_way, Tick now) const override {
    return aged_class(read, now) <= aged_class(under_way, now);
  }

  void started(const FlashOp& op, const DieCandidates& left, Tick) override {
    const bool overtakes = std::any_of(left.first.begin(), left.first.end(), [&](const FlashOp* other) {
      return other != nullptr && class_of(*other) < class_of(op);
    });
    if (overtakes && !left.collection_urgent) ++interventions_;
  }

  std::uint64_t interventions() const override { return interventions_; }

 private:
  static constexpr std::uint64_t background_class = 4;

  static std::uint64_t class_of(const FlashOp& t) {
    const QueueKind kind = t.queue;
    return kind == QueueKind::host_read || kind == QueueKind::host_write ? t.priority : background_class;
  }
  Tick due(const FlashOp& t) const { return t.arrival + class_of(t) * aging_; }
  // Below 0 for what has waited longer than any class asks for.
  std::int64_t aged_class(const FlashOp& t, Tick now) const {
    return static_cast<std::int64_t>(class_of(t)) - static_cast<std::int64_t>((now - t.arrival) / aging_);
  }

  const Tick aging_;
  std::uint64_t interventions_ = 0;
};

}  // namespace

void register_priority(SchedulingRegistry& registry) {
  registry.add<Priority>("priority", "classes of the host's queues, each before the next, with aging");
}

}  // namespace nandscape::controller
