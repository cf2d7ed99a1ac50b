// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/scheduling_policy.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "fakes/plain_op.h"

namespace nandscape::controller {
namespace {

using enum QueueKind;

constexpr std::uint32_t one_die = 1;

// A die at which one operation of each given kind waits. `sequences` gives their order of arrival: lower is earlier.
struct Waiting {
  explicit Waiting(const std::map<QueueKind, std::uint64_t>& sequences, bool urgent = false) {
    for (const auto& [kind, sequence] : sequences) {
      FlashOp& t = transactions[static_cast<std::size_t>(kind)];
      t.sequence = sequence;
      t.arrival = second;
      t.queue = kind;
      t.of_host = kind == QueueKind::host_write;
      candidates.first[static_cast<std::size_t>(kind)] = &t;
    }
    candidates.collection_urgent = urgent;
  }
  std::array<PlainOp, queue_kinds> transactions;
  DieCandidates candidates;
};

TEST_CASE("every policy chooses the only candidate, and none when there is none") {
  for (const Choice& variant : scheduling_registry().variants()) {
    INFO(variant.name);
    const auto policy = scheduling_registry().make({std::string(variant.name), nullptr}, one_die);
    for (const bool urgent : {false, true}) {
      CHECK_FALSE(policy->choose(Waiting({}, urgent).candidates, second).has_value());
      for (const QueueKind kind : {host_read, host_write, background_read, background_write, QueueKind::erase}) {
        CHECK(policy->choose(Waiting({{kind, 5}}, urgent).candidates, second) == kind);
      }
    }
  }
}

TEST_CASE("fifo chooses the oldest candidate") {
  const auto policy = scheduling_registry().make({"fifo", nullptr}, one_die);
  RandomStream random(1, "fifo");
  for (int round = 0; round < 200; ++round) {
    std::map<QueueKind, std::uint64_t> sequences;
    for (const QueueKind kind : {host_read, host_write, background_read, background_write, QueueKind::erase}) {
      if (random.below(3) != 0) sequences[kind] = random();
    }
    if (sequences.empty()) continue;
    const auto oldest = std::min_element(sequences.begin(), sequences.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
    REQUIRE(policy->choose(Waiting(sequences, random.below(2) == 0).candidates, second) == oldest->first);
  }
}

// Returns the kinds of operations in the order in which the policy chooses them when an operation of each kind waits.
std::vector<QueueKind> ranking(const SchedulingPolicy& policy, bool urgent) {
  std::map<QueueKind, std::uint64_t> sequences = {
      {host_read, 5}, {host_write, 4}, {background_read, 3}, {background_write, 2}, {QueueKind::erase, 1}};
  std::vector<QueueKind> order;
  while (!sequences.empty()) {
    order.push_back(*policy.choose(Waiting(sequences, urgent).candidates, second));
    sequences.erase(order.back());
  }
  return order;
}

TEST_CASE("out_of_order puts host reads first, but urgent collection before them") {
  const auto policy = scheduling_registry().make({"out_of_order", nullptr}, one_die);
  CHECK(ranking(*policy, false) ==
        std::vector{host_read, host_write, background_read, background_write, QueueKind::erase});
  CHECK(ranking(*policy, true) ==
        std::vector{QueueKind::erase, background_write, background_read, host_read, host_write});
}

TEST_CASE("read_first limits the number of reads that go before waiting operations") {
  const auto policy = scheduling_registry().make({"read_first", nullptr}, one_die);
  constexpr int limit = 64;  // default limit
  const Waiting waiting({{host_read, 1}, {host_write, 2}, {background_read, 3}});
  for (int round = 0; round < 3; ++round) {
    for (int read = 0; read < limit; ++read) {
      REQUIRE(policy->choose(waiting.candidates, second) == host_read);
      policy->started(waiting.transactions[0], waiting.candidates, second);
    }
    REQUIRE(policy->choose(waiting.candidates, second) == host_write);
    policy->started(waiting.transactions[1], waiting.candidates, second);
  }
  CHECK(policy->interventions() == 3);
  // Reads count toward the limit only if they go before a waiting operation.
  const Waiting reads({{host_read, 1}});
  for (int read = 0; read < 2 * limit; ++read) policy->started(reads.transactions[0], reads.candidates, second);
  CHECK(policy->choose(waiting.candidates, second) == host_read);
}

TEST_CASE("read_first resumes an operation that reads have suspended for too long") {
  const auto policy = scheduling_registry().make({"read_first", nullptr}, one_die);
  Waiting waiting({{host_read, 1}});
  PlainOp write;
  write.queue = QueueKind::host_write;
  write.of_host = true;
  waiting.candidates.suspended = &write;
  const FlashOp& read = waiting.transactions[0];
  for (int k = 0; k < 64; ++k) {
    REQUIRE(policy->may_suspend(read, write, second));
    REQUIRE(policy->choose(waiting.candidates, second) == host_read);
    policy->started(read, waiting.candidates, second);
  }
  CHECK_FALSE(policy->choose(waiting.candidates, second).has_value());
  CHECK_FALSE(policy->may_suspend(read, write, second));
}

constexpr Tick aging = 10 * millisecond;  // default of `priority`

TEST_CASE("priority orders by class, and by how long a queue has been passed over") {
  const auto policy = scheduling_registry().make({"priority", nullptr}, one_die);
  Waiting waiting({{host_read, 1}, {host_write, 2}, {background_read, 3}});
  FlashOp& read = waiting.transactions[0];
  FlashOp& write = waiting.transactions[1];
  FlashOp& move = waiting.transactions[2];
  read.priority = PriorityClass::medium;
  write.priority = PriorityClass::high;
  write.started = move.started = second;
  CHECK(policy->choose(waiting.candidates, second) == host_write);
  CHECK_FALSE(policy->may_suspend(read, write, second));
  CHECK(policy->may_suspend(read, move, second));
  // Ageing has raised the read to the class of the write, and reads go first within a class.
  read.arrival = second - aging;
  CHECK(policy->choose(waiting.candidates, second) == host_read);
  CHECK(policy->may_suspend(read, write, second));
  // No class starves. Background work is four classes below urgent work, and passes it after five ageing times.
  write.priority = PriorityClass::urgent;
  move.arrival = second - 4 * aging;
  CHECK(policy->choose(waiting.candidates, second) == host_write);
  move.arrival = second - 5 * aging;
  CHECK(policy->choose(waiting.candidates, second) == background_read);
  policy->started(move, Waiting({{host_read, 1}}).candidates, second);
  CHECK(policy->interventions() == 1);
  // The policy has served background reads, so the next of them ages only from now on, however long ago it arrived.
  CHECK(policy->choose(waiting.candidates, second) == host_write);
}

TEST_CASE("priority suspends no operation for ever") {
  const auto policy = scheduling_registry().make({"priority", nullptr}, one_die);
  Waiting waiting({{host_read, 1}});
  FlashOp& read = waiting.transactions[0];
  read.priority = PriorityClass::urgent;
  PlainOp write;
  write.queue = host_write;
  write.priority = PriorityClass::low;
  write.started = second;
  waiting.candidates.suspended = &write;
  const Tick last = second + 4 * aging;  // from this time on, ageing puts the write before the urgent class
  read.arrival = last;
  CHECK(policy->may_suspend(read, write, last - 1));
  CHECK(policy->choose(waiting.candidates, last - 1) == host_read);
  CHECK_FALSE(policy->may_suspend(read, write, last));
  CHECK_FALSE(policy->choose(waiting.candidates, last).has_value());
}

// A die on which every operation lasts one millisecond. It has queues of one kind and class each, which are never
// empty.
struct BusyDie {
  explicit BusyDie(const std::string& name) : policy(scheduling_registry().make({name, nullptr}, one_die)) {}

  void add(QueueKind kind, PriorityClass priority) {
    FlashOp& op = all.emplace_back();
    op.queue = kind;
    op.priority = priority;
    op.sequence = all.size();
    gaps.push_back(0);
    last.push_back(0);
    served.push_back(0);
  }
  void run(Tick duration) {
    std::array<ClassOrder, queue_kinds> order;
    order.fill(by_class);
    for (Tick now = 0; now < duration; now += millisecond) {
      DieCandidates candidates;
      for (const QueueKind kind : {host_read, host_write, background_read, background_write, QueueKind::erase}) {
        ClassHeads first{};
        for (const FlashOp& op : all) {
          if (op.queue == kind) first[static_cast<std::size_t>(op.priority)] = &op;
        }
        const auto k = static_cast<std::size_t>(kind);
        if (!is_background(kind)) policy->order_classes(kind, first, order[k], now);
        for (const std::uint8_t c : order[k]) {
          if (candidates.first[k] == nullptr) candidates.first[k] = first[c];
        }
      }
      const FlashOp* const next = candidates[*policy->choose(candidates, now)];
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (&all[k] != next) continue;
        gaps[k] = std::max(gaps[k], now - last[k]);
        last[k] = now;
        ++served[k];
      }
      policy->started(*next, candidates, now);
    }
    for (std::size_t k = 0; k < all.size(); ++k) gaps[k] = std::max(gaps[k], duration - last[k]);
  }

  std::unique_ptr<SchedulingPolicy> policy;
  std::deque<PlainOp> all;
  std::vector<Tick> gaps;  // for each queue, the longest time during which none of its operations was started
  std::vector<Tick> last;
  std::vector<int> served;
};

TEST_CASE("priority keeps no queue waiting for longer than its class allows") {
  BusyDie die("priority");
  for (const QueueKind kind : {host_read, host_write}) {
    for (const PriorityClass c :
         {PriorityClass::urgent, PriorityClass::high, PriorityClass::medium, PriorityClass::low}) {
      die.add(kind, c);
    }
  }
  die.add(background_read, PriorityClass::medium);
  die.run(4 * second);
  for (std::size_t k = 0; k < die.all.size(); ++k) {
    const Tick class_of_queue = k == 8 ? 4 : static_cast<Tick>(k % 4);
    CAPTURE(k);
    CHECK(die.gaps[k] <= (class_of_queue + 1) * aging + 8 * millisecond);
  }
  CHECK(die.served[0] > 2500);  // of 4,000 operations
  // The policy out_of_order considers neither class nor age, so the same writes starve.
  BusyDie reads("out_of_order");
  reads.add(host_read, PriorityClass::urgent);
  reads.add(host_write, PriorityClass::low);
  reads.run(second);
  CHECK(reads.served[1] == 0);
}

TEST_CASE("priority takes classes in order, except those that have been passed over") {
  const auto policy = scheduling_registry().make({"priority", nullptr}, one_die);
  std::deque<PlainOp> heads(4);
  ClassHeads first{};
  for (std::size_t c = 0; c < heads.size(); ++c) {
    heads[c].priority = static_cast<PriorityClass>(c);
    heads[c].arrival = second;
    first[c] = &heads[c];
  }
  ClassOrder order{};
  policy->order_classes(host_read, first, order, second);
  CHECK(order == by_class);
  heads[3].arrival = second - 4 * aging;
  policy->order_classes(host_read, first, order, second);
  CHECK(order == ClassOrder{3, 0, 1, 2});
  policy->started(heads[3], {}, second);
  first[0] = nullptr;
  policy->order_classes(host_read, first, order, second);
  CHECK(order == by_class);
}

// A die that is scheduled by the policy `flin`, and its operations.
struct FlinDie {
  // `dies` is the number of dies in the drive.
  explicit FlinDie(std::uint32_t dies = one_die) : policy(scheduling_registry().make({"flin", nullptr}, dies)) {}

  FlashOp& make(QueueKind kind, std::uint16_t stream, Tick arrival, PriorityClass priority = PriorityClass::urgent) {
    FlashOp& t = all.emplace_back();
    t.queue = kind;
    t.stream = stream;
    t.priority = priority;
    t.arrival = arrival;
    t.sequence = t.rank = all.size();
    t.command.bytes = 16384;
    return t;
  }
  FlashOp& insert(OpQueue& queue, QueueKind kind, std::uint16_t stream, Tick arrival,
                  PriorityClass priority = PriorityClass::urgent) {
    FlashOp& t = make(kind, stream, arrival, priority);
    policy->insert(queue, t, arrival);
    return t;
  }
  // Lets the policy learn how long operations of this kind last.
  void teach(QueueKind kind, Tick service) {
    FlashOp& t = make(kind, 9, 0);
    policy->ended(t, service);
  }
  std::unique_ptr<SchedulingPolicy> policy;
  std::deque<PlainOp> all;
};

TEST_CASE("flin puts streams of low intensity before streams of high intensity") {
  // The policy treats a stream of up to 32 MB/s as light. This is 20 pages per epoch, or 5 pages on each of four dies.
  const auto [dies, pages] = GENERATE(std::pair{1u, 20}, std::pair{4u, 5});
  FlinDie die(dies);
  OpQueue queue;
  for (int k = 0; k < 40; ++k) die.insert(queue, QueueKind::host_read, 0, second);
  FlashOp& light = die.insert(queue, QueueKind::host_read, 1, second);
  int before = 0;
  for (FlashOp* t = queue.front(); t != &light; t = t->next) ++before;
  CHECK(before == pages - 1);
}

TEST_CASE("flin moves a slowed stream further ahead among streams of its intensity") {
  FlinDie die;
  OpQueue queue;
  die.teach(QueueKind::host_read, 100 * microsecond);
  for (int k = 0; k < 10; ++k) die.insert(queue, QueueKind::host_read, 0, second);
  // At the end of the queue, the read of the second stream would need eleven times as long as alone. In front of the
  // queue, it hardly slows the first stream down.
  FlashOp& other = die.insert(queue, QueueKind::host_read, 1, second);
  int before = 0;
  for (FlashOp* t = queue.front(); t != &other; t = t->next) ++before;
  CHECK(before <= 1);
  // Operations of the same stream must keep their order of arrival.
  FlinDie even;
  OpQueue fair;
  even.teach(QueueKind::host_read, 100 * microsecond);
  FlashOp& first = even.insert(fair, QueueKind::host_read, 0, second);
  FlashOp& next = even.insert(fair, QueueKind::host_read, 0, second);
  FlashOp& late = even.insert(fair, QueueKind::host_read, 0, second);
  for (FlashOp* expected : {&first, &next, &late}) CHECK(&fair.pop() == expected);
}

TEST_CASE("flin serves classes in weighted turns") {
  FlinDie die;
  ClassHeads first{};
  first[2] = &die.make(QueueKind::host_read, 1, second, PriorityClass::medium);
  first[3] = &die.make(QueueKind::host_read, 0, second, PriorityClass::low);
  std::vector<int> served(4);
  for (int k = 0; k < 15; ++k) {
    ClassOrder order{};
    die.policy->order_classes(host_read, first, order, second);
    ++served[order[0]];
    die.policy->started(*first[order[0]], {}, second);
  }
  CHECK(served[2] == 10);  // twice as many turns as the low class
  CHECK(served[3] == 5);
}

TEST_CASE("flin chooses the operation that would wait longer, in proportion to its time, if the other went first") {
  FlinDie die;
  die.teach(QueueKind::host_read, 100 * microsecond);
  die.teach(QueueKind::host_write, 700 * microsecond);
  DieCandidates candidates;
  FlashOp& read = die.make(QueueKind::host_read, 0, second);
  FlashOp& write = die.make(QueueKind::host_write, 1, second);
  candidates.first = {&read, &write, nullptr, nullptr, nullptr};
  // The read would wait 700/100 of its service time, the write 100/700.
  CHECK(die.policy->choose(candidates, second) == host_read);
  write.arrival = second - 4700 * microsecond;
  CHECK(die.policy->choose(candidates, second) == host_read);  // the write would wait 4,800/700 of its service time
  write.arrival = second - 4900 * microsecond;
  CHECK(die.policy->choose(candidates, second) == host_write);  // the write would wait 5,000/700 of its service time
  read.arrival = second - 100 * microsecond;
  CHECK(die.policy->choose(candidates, second) == host_read);  // the read would wait 800/100 of its service time
}

TEST_CASE("flin suspends a write for a read only if the write started recently") {
  FlinDie die;
  die.teach(QueueKind::host_read, 100 * microsecond);
  die.teach(QueueKind::host_write, 700 * microsecond);
  FlashOp& read = die.make(QueueKind::host_read, 0, second);
  FlashOp& write = die.make(QueueKind::host_write, 1, 0);  // has waited for a second
  DieCandidates candidates;
  candidates.first[0] = &read;
  candidates.suspended = &write;
  write.started = second - 4700 * microsecond;  // the read would wait 700/100 of its service time, the write 4,800/700
  CHECK(die.policy->may_suspend(read, write, second));
  CHECK(die.policy->choose(candidates, second) == host_read);
  write.started = second - 4900 * microsecond;
  CHECK_FALSE(die.policy->may_suspend(read, write, second));
  CHECK_FALSE(die.policy->choose(candidates, second).has_value());
}

TEST_CASE("flin puts writes before collection as long as there are free blocks") {
  FlinDie die;
  FlashOp& write = die.make(QueueKind::host_write, 1, second);
  FlashOp& move = die.make(QueueKind::background_write, 0, second);
  die.policy->started(write, {}, second);  // all writes so far were made by this stream
  OpQueue moves;
  for (int k = 0; k < 4; ++k) die.insert(moves, QueueKind::background_write, 0, second);
  DieCandidates candidates;
  candidates.first = {nullptr, &write, nullptr, &move, nullptr};
  CHECK(die.policy->choose(candidates, second) == host_write);
  candidates.first[1] = nullptr;
  CHECK(die.policy->choose(candidates, second) == background_write);
}

TEST_CASE("flin puts urgent collection before a write in proportion to its stream's share of writes") {
  FlinDie die;
  DieCandidates candidates;
  FlashOp& write = die.make(QueueKind::host_write, 1, second);
  FlashOp& other = die.make(QueueKind::host_write, 0, second);
  FlashOp& move = die.make(QueueKind::background_write, 0, second);
  FlashOp& erase = die.make(QueueKind::erase, 0, second);
  const auto write_since_erase = [&] {
    for (int k = 0; k < 3; ++k) die.policy->started(write, {}, second);
    die.policy->started(other, {}, second);
  };
  write_since_erase();
  // Stream 1 has made three of four writes. Therefore three of the four moves must go before its next write.
  OpQueue moves;
  for (int k = 0; k < 4; ++k) die.insert(moves, QueueKind::background_write, 0, second);
  candidates.first = {nullptr, &write, nullptr, &move, nullptr};
  candidates.collection_urgent = true;
  for (int k = 0; k < 3; ++k) {
    CHECK(die.policy->choose(candidates, second) == background_write);
    die.policy->started(move, {}, second);
    die.policy->ended(move, second);
  }
  CHECK(die.policy->choose(candidates, second) == host_write);
  // After an erase, the writes before it no longer count.
  die.policy->started(erase, {}, second);
  candidates.first = {nullptr, &other, nullptr, &move, nullptr};
  CHECK(die.policy->choose(candidates, second) == host_write);
}

TEST_CASE("flin weighs reads against the collection that a write without a place waits for") {
  FlinDie die;
  die.teach(QueueKind::host_read, 100 * microsecond);
  die.teach(QueueKind::host_write, 700 * microsecond);
  die.teach(QueueKind::background_read, 100 * microsecond);
  die.teach(QueueKind::background_write, 700 * microsecond);
  FlashOp& read = die.make(QueueKind::host_read, 0, second);
  FlashOp& write = die.make(QueueKind::host_write, 1, second - millisecond);
  OpQueue moves;
  FlashOp& move = die.make(QueueKind::background_write, 0, second);
  // Together with the two operations that teach() has ended, these are five collection operations.
  for (int k = 0; k < 3; ++k) die.insert(moves, QueueKind::background_write, 0, second);
  DieCandidates candidates;
  candidates.first = {&read, nullptr, nullptr, &move, nullptr};
  candidates.collection_urgent = true;
  CHECK(die.policy->choose(candidates, second) == host_read);  // no host write waits for the move
  candidates.without_place = &write;
  // A collection operation lasts 400 us on average. The policy compares the waiting times, divided by the service
  // times. The read would wait (700 + 400) / 100 of its service time. The write would wait (1000 + 100 + 400) / 700 of
  // its service time, and later (7500 + 100 + 400) / 700.
  CHECK(die.policy->choose(candidates, second) == host_read);
  write.arrival = second - 7500 * microsecond;
  CHECK(die.policy->choose(candidates, second) == background_write);
  candidates.first[3] = nullptr;  // no collection operation is waiting
  CHECK(die.policy->choose(candidates, second) == host_read);
}

TEST_CASE("an operation can be inserted anywhere in a queue") {
  OpQueue queue;
  std::deque<PlainOp> all(4);
  queue.push_front(all[1]);
  queue.push_front(all[0]);
  queue.insert_after(&all[1], all[3]);
  queue.insert_after(&all[1], all[2]);
  CHECK(queue.back() == &all[3]);
  for (FlashOp& expected : all) CHECK(&queue.pop() == &expected);
  CHECK(queue.back() == nullptr);
}

TEST_CASE("a queue is first in, first out, and any operation can be removed") {
  OpQueue queue;
  std::deque<PlainOp> all(6);
  CHECK(queue.empty());
  for (FlashOp& t : all) queue.push(t);
  queue.remove_after(&all[1]);  // removes operation 2
  queue.remove_after(nullptr);  // removes operation 0
  queue.remove_after(&all[4]);  // removes operation 5, the last
  PlainOp late;
  queue.push(late);
  for (FlashOp* expected : {&all[1], &all[3], &all[4], &late}) CHECK(&queue.pop() == expected);
  CHECK(queue.empty());
  queue.push(all[0]);
  queue.remove_after(nullptr);
  CHECK(queue.empty());
  queue.push(all[1]);
  CHECK(&queue.pop() == &all[1]);
}

}  // namespace
}  // namespace nandscape::controller
