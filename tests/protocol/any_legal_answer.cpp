// SPDX-License-Identifier: Apache-2.0
// Tests the scheduler with a policy that returns random legal answers. Whatever the policy returns, the scheduler must
// follow the protocol of the die, and all operations must complete.
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "random_policies.h"
#include "scheduler_bench.h"

namespace nandscape {
namespace {

using namespace small_times;

// A scheduling policy whose answer is computed by a function of the test.
class Told final : public controller::SchedulingPolicy {
 public:
  using Answer = std::optional<controller::QueueKind> (*)(const controller::DieCandidates&);
  explicit Told(Answer answer) : answer_(answer) {}
  std::optional<controller::QueueKind> choose(const controller::DieCandidates& c, Tick) const override {
    return answer_(c);
  }

 private:
  const Answer answer_;
};

class ToldObject final : public controller::SchedulingRegistry::Object {
 public:
  explicit ToldObject(Told::Answer answer) : answer_(answer) {}
  const std::string& name() const override {
    static const std::string name = "test:told";
    return name;
  }
  std::string_view family() const override { return controller::scheduling_registry().family(); }
  std::unique_ptr<controller::SchedulingPolicy> make(std::uint32_t) const override {
    return std::make_unique<Told>(answer_);
  }

 private:
  const Told::Answer answer_;
};

FlashDeviceParameters device_with(std::shared_ptr<VariantObject> policy) {
  FlashDeviceParameters p = small_device();
  p.nand.timing.t_pcbsy_us = 4;
  const std::string name = policy->name();
  p.controller.scheduler.policy = {name, std::move(policy)};
  return p;
}

TEST_CASE("with any legal answers of a policy the scheduler obeys the die's protocol and ends") {
  const int seed = GENERATE(range(0, 40));
  FlashDeviceParameters p = device_with(std::make_shared<RandomSchedulingObject>(seed, seed % 2 == 0));
  p.controller.scheduler.cache_program = seed % 3 != 0;
  p.controller.scheduler.cache_read = seed % 5 != 0;
  p.controller.scheduler.suspend = seed % 7 < 3 ? controller::Suspend::none : controller::Suspend::program_erase;
  p.controller.scheduler.multi_plane = seed % 4 != 0;
  SchedulerBench h(p);
  RandomStream random(seed, "asked");
  std::vector<SchedulerBench::Asked*> all;
  constexpr OpKind kinds[] = {OpKind::host_read,        OpKind::host_write, OpKind::background_read,
                              OpKind::background_write, OpKind::copyback,   OpKind::erase};
  for (int k = 0; k < 120; ++k) {
    const OpKind kind = kinds[random.below(std::size(kinds))];
    const auto plane = static_cast<std::uint32_t>(random.below(2));
    // Erases use block 9, which no write or read uses.
    all.push_back(&h.at(random.below(20'000) * us, kind, plane, kind == OpKind::erase ? 9 : 3));
  }
  h.run();
  for (const SchedulerBench::Asked* asked : all) REQUIRE(asked->done != never);
}

TEST_CASE("a policy that always resumes a suspended program lets it end") {
  FlashDeviceParameters p = device_with(std::make_shared<ToldObject>([](const controller::DieCandidates& c) {
    if (c.suspended != nullptr) return std::optional<controller::QueueKind>();
    for (std::size_t kind = controller::queue_kinds; kind-- > 0;) {
      if (c.first[kind] != nullptr) return std::optional(static_cast<controller::QueueKind>(kind));
    }
    return std::optional<controller::QueueKind>();
  }));
  p.controller.scheduler.suspend = controller::Suspend::program_erase;
  SchedulerBench h(p);
  SchedulerBench::Asked& write = h.at(0, OpKind::host_write);
  std::vector<SchedulerBench::Asked*> reads;
  for (int k = 1; k <= 3; ++k) reads.push_back(&h.at(k * 200 * us, OpKind::host_read, 1, 3));
  h.run();
  // Each new read suspends the program once. The policy then resumes the program, which ends before the reads run.
  CHECK(h.scheduler.counters().suspends == 3);
  for (const SchedulerBench::Asked* read : reads) CHECK(read->done > write.done);
}

TEST_CASE("the error for choosing an empty queue, or none of several, names the policy") {
  for (const Told::Answer answer :
       {Told::Answer([](const controller::DieCandidates&) { return std::optional(controller::QueueKind::erase); }),
        Told::Answer([](const controller::DieCandidates&) { return std::optional<controller::QueueKind>(); })}) {
    SchedulerBench h(device_with(std::make_shared<ToldObject>(answer)));
    h.at(0, OpKind::host_write);
    CHECK_THROWS_WITH(h.run(), ContainsSubstring("the scheduling policy test:told chose"));
  }
}

}  // namespace
}  // namespace nandscape
