// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "controller/flash_ops/scheduler/scheduling_policy.h"

namespace nandscape::controller {

namespace {

struct PriorityParameters {
  double aging_us = 10000;
};

void describe(PriorityParameters& p, ParameterVisitor& v) {
  v.real("aging_us", p.aging_us, {1, 1e9}, "us",
         "time after which a queue that is passed over moves up by one class, until one of its commands is served");
}

// Serves the host's four priority classes in strict order, and background work after all of them. Within a class, reads
// go before writes.
//
// Each kind of op has a queue for each class. A queue that is not served moves up by one class per aging time, even
// beyond the first class, and falls back to its original class when one of its ops is served. The aging time is counted
// from the last op served from the queue instead of from the arrival of its next op, because otherwise a long queue of
// writes would always be older than any read. The first op of a queue of class c therefore waits at most c + 1 aging
// times, and then for one op of each queue that has waited equally long. If other queues keep the die busy, the queue
// is given one op in that time.
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
    // Collection goes before all classes while the host has no block to write to.
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
  bool separates_classes() const override { return true; }

  void order_classes(QueueKind, const ClassHeads& first, ClassOrder& order, Tick now) override {
    order = by_class;
    const auto aged_now = [&](std::uint8_t c) { return first[c] == nullptr ? c : aged_class(*first[c], now); };
    for (auto next = order.begin() + 1; next != order.end(); ++next) {
      for (auto place = next; place != order.begin() && aged_now(*place) < aged_now(*(place - 1)); --place) {
        std::iter_swap(place, place - 1);
      }
    }
  }

  // The operation under way ages as well, so that it is not suspended forever.
  bool may_suspend(const FlashOp& read, const FlashOp& under_way, Tick now) const override {
    return aged_class(read, now) <= aged(class_of(under_way), under_way.started, now);
  }

  void started(const FlashOp& op, const DieCandidates& left, Tick now) override {
    last_started(op) = now;
    const bool overtakes = std::any_of(left.first.begin(), left.first.end(), [&](const FlashOp* other) {
      return other != nullptr && class_of(*other) < class_of(op);
    });
    if (overtakes && !left.collection_urgent) ++interventions_;
  }

  std::uint64_t interventions() const override { return interventions_; }

 private:
  static constexpr std::size_t background_class = priority_classes;

  static std::size_t class_of(const FlashOp& t) {
    return is_background(t.queue) ? background_class : static_cast<std::size_t>(t.priority);
  }
  Tick& last_started(const FlashOp& t) { return last_started_[static_cast<std::size_t>(t.queue)][class_of(t)]; }
  Tick last_started(const FlashOp& t) const { return last_started_[static_cast<std::size_t>(t.queue)][class_of(t)]; }

  // The class of a queue's first op after aging; negative if the queue has moved up beyond the first class.
  std::int64_t aged_class(const FlashOp& t, Tick now) const {
    return aged(class_of(t), std::max(t.arrival, last_started(t)), now);
  }
  std::int64_t aged(std::size_t priority, Tick since, Tick now) const {
    return static_cast<std::int64_t>(priority) - static_cast<std::int64_t>((now - since) / aging_);
  }

  const Tick aging_;
  // By kind and class. Need not be updated while a queue is empty, because the next op of the queue arrives later.
  std::array<std::array<Tick, priority_classes + 1>, queue_kinds> last_started_{};
  std::uint64_t interventions_ = 0;
};

}  // namespace

void register_priority(SchedulingRegistry& registry) {
  registry.add<Priority>("priority", "serves the priority classes of the host's queues in order, with aging");
}

}  // namespace nandscape::controller
