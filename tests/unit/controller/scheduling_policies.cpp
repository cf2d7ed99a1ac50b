// SPDX-License-Identifier: Apache-2.0
#include "controller/scheduler/scheduling_policy.h"

#include <algorithm>
#include <map>
#include <vector>

#include "catch.h"
#include "core/random.h"

namespace nandscape {
namespace {

using enum QueueKind;

// Candidates of those kinds with the order of their arrival.
struct Waiting {
  explicit Waiting(const std::map<QueueKind, std::uint64_t>& sequences, bool urgent = false) {
    for (const auto& [kind, sequence] : sequences) {
      FlashTransaction& t = transactions[static_cast<std::size_t>(kind)];
      t.sequence = sequence;
      candidates.oldest[static_cast<std::size_t>(kind)] = &t;
    }
    candidates.collection_urgent = urgent;
  }
  std::array<FlashTransaction, queue_kinds> transactions;
  DieCandidates candidates;
};

TEST_CASE("every policy takes the only candidate, and none when there is none") {
  for (const Choice& variant : scheduling_registry().variants()) {
    INFO(variant.name);
    const auto policy = scheduling_registry().make({std::string(variant.name), nullptr});
    for (const bool urgent : {false, true}) {
      CHECK_FALSE(policy->choose(Waiting({}, urgent).candidates).has_value());
      for (const QueueKind kind : {host_read, host_write, gc_read, gc_write, gc_erase}) {
        CHECK(policy->choose(Waiting({{kind, 5}}, urgent).candidates) == kind);
      }
    }
  }
}

TEST_CASE("fifo takes the oldest of all") {
  const auto policy = scheduling_registry().make({"fifo", nullptr});
  RandomStream random(1, "fifo");
  for (int round = 0; round < 200; ++round) {
    std::map<QueueKind, std::uint64_t> sequences;
    for (const QueueKind kind : {host_read, host_write, gc_read, gc_write, gc_erase}) {
      if (random.below(3) != 0) sequences[kind] = random();
    }
    if (sequences.empty()) continue;
    const auto oldest = std::min_element(sequences.begin(), sequences.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
    REQUIRE(policy->choose(Waiting(sequences, random.below(2) == 0).candidates) == oldest->first);
  }
}

// Kinds in the order in which the policy takes them when all wait.
std::vector<QueueKind> ranking(const SchedulingPolicy& policy, bool urgent) {
  std::map<QueueKind, std::uint64_t> sequences = {
      {host_read, 5}, {host_write, 4}, {gc_read, 3}, {gc_write, 2}, {gc_erase, 1}};
  std::vector<QueueKind> order;
  while (!sequences.empty()) {
    order.push_back(*policy.choose(Waiting(sequences, urgent).candidates));
    sequences.erase(order.back());
  }
  return order;
}

TEST_CASE("out_of_order takes reads of the host first, and collection first when it is urgent") {
  const auto policy = scheduling_registry().make({"out_of_order", nullptr});
  CHECK(ranking(*policy, false) == std::vector{host_read, host_write, gc_read, gc_write, gc_erase});
  CHECK(ranking(*policy, true) == std::vector{gc_erase, gc_write, gc_read, host_read, host_write});
}

TEST_CASE("a queue of transactions is first in, first out, and gives up any of them") {
  TransactionQueue queue;
  std::vector<FlashTransaction> all(6);
  CHECK(queue.empty());
  for (FlashTransaction& t : all) queue.push(t);
  queue.remove_after(&all[1]);  // 2
  queue.remove_after(nullptr);  // 0
  queue.remove_after(&all[4]);  // 5, the last
  FlashTransaction late;
  queue.push(late);
  for (FlashTransaction* expected : {&all[1], &all[3], &all[4], &late}) CHECK(&queue.pop() == expected);
  CHECK(queue.empty());
  queue.push(all[0]);
  queue.remove_after(nullptr);
  CHECK(queue.empty());
  queue.push(all[1]);
  CHECK(&queue.pop() == &all[1]);
}

}  // namespace
}  // namespace nandscape
