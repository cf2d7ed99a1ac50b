// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/scheduling_policy.h"

namespace nandscape::controller {

namespace {

// Serves a die's ops in the order of arrival.
class Fifo final : public SchedulingPolicy {
 public:
  using Parameters = NoParameters;
  Fifo(const Parameters&, std::uint32_t) {}

  bool makes_every_decision() const override { return false; }

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

// Serves host reads first, then host writes, then garbage collection. Collection goes first while the host has no block
// to write to.
class OutOfOrder final : public SchedulingPolicy {
 public:
  using Parameters = NoParameters;
  OutOfOrder(const Parameters&, std::uint32_t) {}

  bool makes_every_decision() const override { return false; }

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

struct ReadFirstParameters {
  std::uint32_t starvation_limit = 64;
  double write_deadline_us = 0;
};

void describe(ReadFirstParameters& p, ParameterVisitor& v) {
  v.integer("starvation_limit", p.starvation_limit, {1, 1 << 30}, "",
            "host reads that may go before another waiting command; then that command is served");
  v.real("write_deadline_us", p.write_deadline_us, {0, 1e9}, "us",
         "wait after which a host write goes before reads; 0: never");
}

// Serves host reads first. Another waiting op is served after `starvation_limit` reads have gone before it, and a host
// write also when it has waited for `write_deadline_us`. A suspended operation counts as a waiting op.
class ReadFirst final : public SchedulingPolicy {
 public:
  using Parameters = ReadFirstParameters;
  ReadFirst(const Parameters& p, std::uint32_t)
      : limit_(p.starvation_limit), deadline_(ticks_from_us(p.write_deadline_us)) {}

  std::optional<QueueKind> choose(const DieCandidates& c, Tick now) const override {
    const std::optional<QueueKind> other = other_than_read(c, now);
    const bool other_waits = other || c.suspended != nullptr;
    if (c[QueueKind::host_read] != nullptr && !(other_waits && due(c, now))) return QueueKind::host_read;
    return other;
  }

  bool keeps_account() const override { return true; }

  bool may_suspend(const FlashOp&, const FlashOp& under_way, Tick now) const override {
    return passed_ < limit_ && !late(under_way, now);
  }

  void started(const FlashOp& op, const DieCandidates& left, Tick now) override {
    const bool read = op.queue == QueueKind::host_read;
    if (!read && left[QueueKind::host_read] != nullptr) ++interventions_;
    const bool passes = read && (left.suspended != nullptr || other_than_read(left, now));
    passed_ = passes ? passed_ + 1 : 0;
  }

  std::uint64_t interventions() const override { return interventions_; }

 private:
  bool late(const FlashOp& op, Tick now) const { return deadline_ != 0 && op.of_host && now - op.arrival >= deadline_; }
  bool late_write_waits(const DieCandidates& c, Tick now) const {
    const FlashOp* write = c.suspended != nullptr ? c.suspended : c[QueueKind::host_write];
    return write != nullptr && late(*write, now);
  }
  bool due(const DieCandidates& c, Tick now) const { return passed_ >= limit_ || late_write_waits(c, now); }

  // Returns the kind to serve if it is not a host read. Host writes go before collection unless collection is urgent.
  std::optional<QueueKind> other_than_read(const DieCandidates& c, Tick now) const {
    using enum QueueKind;
    static constexpr std::array<QueueKind, queue_kinds - 1> relaxed = {host_write, background_read, background_write,
                                                                       erase};
    static constexpr std::array<QueueKind, queue_kinds - 1> urgent = {erase, background_write, background_read,
                                                                      host_write};
    // A late write that goes before urgent collection would only wait for the block that collection has to free.
    if (!c.collection_urgent && late_write_waits(c, now) && c.suspended == nullptr) return host_write;
    for (const QueueKind kind : c.collection_urgent ? urgent : relaxed) {
      if (c[kind] != nullptr) return kind;
    }
    return std::nullopt;
  }

  const std::uint32_t limit_;
  const Tick deadline_;
  std::uint32_t passed_ = 0;  // consecutive reads served while an op of another kind waited
  std::uint64_t interventions_ = 0;
};

}  // namespace

void describe(SchedulerParameters& p, ParameterVisitor& v) {
  v.unread_if(p.suspend == Suspend::none, {"max_suspends", "min_run_us"}, "suspend is none");
  v.variant("policy", p.policy, scheduling_registry(), "order in which a die serves its commands");
  v.choice("suspend", p.suspend,
           {{"none", "reads wait"},
            {"program", "host reads suspend programs"},
            {"erase", "host reads suspend erases"},
            {"program_erase", "host reads suspend programs and erases"}},
           "operations that a host read may suspend");
  v.integer("max_suspends", p.max_suspends, {0, 1 << 20}, "",
            "suspends of a program or erase after which it runs to its end; 0: no limit");
  v.real("min_run_us", p.min_run_us, {0, 1000000}, "us",
         "minimum time that a program or erase runs after its start or resume, t_resume_us included, before it is "
         "suspended");
  v.boolean("multi_plane", p.multi_plane, "join commands to pages of the same number on several planes of a die");
  v.boolean("cache_read", p.cache_read, "sense the next page of a die while the previous page is transferred");
  v.boolean("cache_program", p.cache_program, "send the next page to a die while the previous page is programmed");
}

// To add a policy, define its class above and register it here. A larger policy has its own file in policies/.
void register_flin(SchedulingRegistry& registry);
void register_priority(SchedulingRegistry& registry);

SchedulingRegistry& scheduling_registry() {
  static SchedulingRegistry registry("controller.scheduler", [](SchedulingRegistry& r) {
    r.add<Fifo>("fifo", "each die serves its commands in the order of their arrival");
    r.add<OutOfOrder>("out_of_order", "each die serves host reads first, then host writes, then collection");
    r.add<ReadFirst>("read_first", "host reads go before all else, up to a number of reads or a deadline");
    register_priority(r);
    register_flin(r);
  });
  return registry;
}

}  // namespace nandscape::controller
