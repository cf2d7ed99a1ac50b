// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/die_queues.h"

#include <array>
#include <deque>
#include <optional>
#include <sstream>

#include "catch.h"
#include "controller/flash_ops/scheduler/flash_scheduler.h"
#include "controller/subpages/subpages.h"
#include "fakes/plain_op.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t page_bytes = 16384;
constexpr std::uint32_t subpage_bytes = page_bytes / subpages_per_page;

struct Write final : FlashOp {
  void array_done(Tick) override {}
  Placement place(Tick) override { return placement; }
  ProgramPlace next_page() const override { return target.value_or(FlashOp::next_page()); }
  void withdrawn(Tick) override { was_withdrawn = true; }
  Placement placement = Placement::placed;
  std::optional<ProgramPlace> target;
  bool was_withdrawn = false;
};

struct Bench {
  explicit Bench(SubpageReads together = SubpageReads::none, bool multi_plane = true, std::uint32_t most = 0)
      : subpages({together, most}, {.multi_plane = multi_plane}, page_bytes),
        queues(4, multi_plane ? MultiPlane::all : MultiPlane::none, subpages.grouping(), *policy) {}

  template <class Op>
  Op& push(Op& op, QueueKind kind, std::uint32_t plane, std::uint32_t page, std::uint32_t block = 0) {
    op.queue = kind;
    op.plane = FlashPlane(plane);
    op.command.plane = PlaneInDie(plane);
    op.command.block = BlockInPlane(block);
    op.command.page = page;
    op.command.operation = kind == QueueKind::host_read || kind == QueueKind::background_read ? NandOperation::read
                           : kind == QueueKind::erase                                         ? NandOperation::erase
                                                                                              : NandOperation::program;
    op.sequence = op.rank = ++arrived;
    queues.push(op, QueuePosition::by_policy, 0);
    return op;
  }
  PlainOp& read(std::uint32_t plane, std::uint32_t page, std::uint32_t block = 0) {
    PlainOp& op = reads.emplace_back();
    op.command.bytes = page_bytes;
    return push(op, QueueKind::host_read, plane, page, block);
  }
  PlainOp& read_of_subpage(std::uint32_t plane, std::uint32_t block, std::uint32_t subpage, std::uint32_t count = 1) {
    PlainOp& op = reads.emplace_back();
    op.command.bytes = count * subpage_bytes;
    op.command.first_byte = subpage * subpage_bytes;
    return push(op, QueueKind::host_read, plane, 0, block);
  }
  Write& write(std::uint32_t plane, std::uint32_t page, Placement placement = Placement::placed) {
    Write& op = writes.emplace_back();
    op.placement = placement;
    return push(op, QueueKind::host_write, plane, page);
  }

  DieQueues::Gathered gather(QueueKind kind) {
    OpQueue operation;
    const DieQueues::Gathered gathered = queues.gather(kind, operation, 0);
    group.clear();
    for (FlashOp& op : operation) group.push_back(&op);
    return gathered;
  }

  using Group = std::vector<FlashOp*>;
  Subpages subpages;
  std::unique_ptr<SchedulingPolicy> policy = scheduling_registry().make({"out_of_order", nullptr}, 1);
  DieQueues queues;
  Group group;
  std::deque<PlainOp> reads;
  std::deque<Write> writes;
  std::uint64_t arrived = 0;
};

using enum DieQueues::Gathered;

TEST_CASE("reads of the same page number in several planes go together") {
  Bench bench;
  FlashOp& first = bench.read(0, 7);
  FlashOp& same_plane = bench.read(0, 7);
  FlashOp& other_page = bench.read(1, 8);
  FlashOp& joins = bench.read(2, 7);
  CHECK(bench.gather(QueueKind::host_read) == operation);
  CHECK(bench.group == Bench::Group{&first, &joins});
  CHECK(bench.gather(QueueKind::host_read) == operation);
  CHECK(bench.group == Bench::Group{&same_plane});
  CHECK(bench.gather(QueueKind::host_read) == operation);
  CHECK(bench.group == Bench::Group{&other_page});
  CHECK_FALSE(bench.queues.offers_any());
}

TEST_CASE("a read that locks the die goes alone") {
  Bench bench;
  FlashOp& locks = bench.read(0, 7);
  bench.read(1, 7);
  locks.locks_die = true;
  CHECK(bench.gather(QueueKind::host_read) == die_lock);
  CHECK(bench.group == Bench::Group{&locks});
}

TEST_CASE("a write without a place blocks its plane until places change, and no other plane") {
  Bench bench;
  Write& first = bench.write(0, 3, Placement::wait);
  Write& second = bench.write(1, 3);
  CHECK(bench.gather(QueueKind::host_write) == nothing);
  CHECK(bench.queues.candidates()[QueueKind::host_write] == &second);
  CHECK(bench.gather(QueueKind::host_write) == operation);
  CHECK(bench.group == Bench::Group{&second});
  CHECK_FALSE(bench.queues.offers_any());

  first.placement = Placement::placed;
  bench.queues.places_changed(PlaneInDie(0));
  CHECK(bench.queues.offers_any());
  CHECK(bench.gather(QueueKind::host_write) == operation);
  CHECK(bench.group == Bench::Group{&first});
}

TEST_CASE("a withdrawn write leaves its queue") {
  Bench bench;
  Write& write = bench.write(0, 3, Placement::withdraw);
  CHECK(bench.gather(QueueKind::host_write) == nothing);
  CHECK(write.was_withdrawn);
  CHECK_FALSE(bench.queues.offers_any());
}

TEST_CASE("erases of all planes go together, or one by one without multi-plane commands") {
  for (const bool multi_plane : {true, false}) {
    Bench bench(SubpageReads::none, multi_plane);
    PlainOp a, b;
    bench.push(a, QueueKind::erase, 1, 0);
    bench.push(b, QueueKind::erase, 3, 0);
    CHECK(bench.gather(QueueKind::erase) == operation);
    CHECK(bench.group.size() == (multi_plane ? 2 : 1));
  }
}

TEST_CASE("a copyback without a place waits behind the writes pushed to the front") {
  Bench bench;
  Write first, copyback, later;
  bench.push(later, QueueKind::background_write, 0, 0);
  first.queue = copyback.queue = QueueKind::background_write;
  first.rank = 0;
  bench.queues.push(first, QueuePosition::first, 0);
  copyback.rank = 1;
  bench.queues.put_back(copyback, true);
  CHECK(bench.queues.candidates()[QueueKind::background_write] == &first);
  bench.gather(QueueKind::background_write);
  bench.gather(QueueKind::background_write);
  CHECK(bench.group == Bench::Group{&copyback});
}

TEST_CASE("copybacks go together when both their sources and their places have the same page numbers") {
  const bool multi_plane = GENERATE(true, false);
  Bench bench(SubpageReads::none, multi_plane);
  std::array<Write, 4> copies;
  const auto copy = [&](std::uint32_t plane, std::uint32_t from, std::uint32_t to, bool joins = true) -> FlashOp& {
    Write& op = copies[plane];
    op.queue = QueueKind::background_write;
    op.plane = FlashPlane(plane);
    op.command.plane = PlaneInDie(plane);
    op.command.operation = NandOperation::copyback_read;
    op.command.page = from;
    op.target = ProgramPlace{to};
    op.may_join = joins;
    op.rank = plane + 1;
    bench.queues.push(op, QueuePosition::by_policy, 0);
    return op;
  };
  FlashOp& first = copy(0, 7, 20);
  SECTION("the same") { copy(1, 7, 20); }
  SECTION("another source") { copy(1, 8, 20); }
  SECTION("another place") { copy(1, 7, 21); }
  SECTION("not to be joined") { copy(1, 7, 20, false); }
  FlashOp& third = copy(2, 7, 20);
  const Write& second = copies[1];
  const bool fits = second.command.page == 7 && second.target->page == 20 && second.may_join;
  CHECK(bench.gather(QueueKind::background_write) == DieQueues::Gathered::operation);
  Bench::Group expected = {&first};
  if (multi_plane && fits) expected.push_back(&copies[1]);
  if (multi_plane) expected.push_back(&third);
  CHECK(bench.group == expected);
}

TEST_CASE("a plane waits for copybacks of other planes that will go together with its own") {
  Bench bench;
  std::array<Write, 3> copies;
  for (std::uint32_t plane = 0; plane < 3; ++plane) {
    Write& op = copies[plane];
    op.queue = QueueKind::background_write;
    op.plane = FlashPlane(plane);
    op.command.plane = PlaneInDie(plane);
    op.command.operation = NandOperation::copyback_read;
    op.command.page = plane == 0 ? 8 : 7;
    op.rank = plane + 1;
  }
  copies[0].target = ProgramPlace{21};
  copies[1].target = ProgramPlace{20};
  copies[2].target = ProgramPlace{5};  // will not be at the same pages as the others
  for (Write& op : copies) bench.queues.push(op, QueuePosition::by_policy, 0);
  for (Write* const copy : {&copies[1], &copies[0], &copies[2]}) {
    bench.gather(QueueKind::background_write);
    CHECK(bench.group == Bench::Group{copy});
  }
}

TEST_CASE("reads go together when they share neither bitlines nor block decoders of a plane") {
  const bool multi_plane = GENERATE(true, false);
  Bench bench(SubpageReads::soml, multi_plane);
  FlashOp& first = bench.read_of_subpage(0, 10, 0);
  FlashOp& same_bitlines = bench.read_of_subpage(0, 11, 0);
  FlashOp& same_block = bench.read_of_subpage(0, 10, 1);
  FlashOp& other_plane = bench.read_of_subpage(1, 10, 0);
  FlashOp& joins = bench.read_of_subpage(0, 13, 3);
  FlashOp& whole_page = bench.read(0, 0, 14);
  FlashOp& page_of_other_plane = bench.read(2, 5, 14);
  CHECK(bench.gather(QueueKind::host_read) == grouped);
  if (multi_plane) {
    CHECK(bench.group == Bench::Group{&first, &other_plane, &joins, &page_of_other_plane});
  } else {
    CHECK(bench.group == Bench::Group{&first, &joins});
  }
  CHECK(joins.command.single_operation);
  CHECK(joins.command.subpages == 0b1000);
  CHECK(bench.gather(QueueKind::host_read) == grouped);
  CHECK(bench.group == Bench::Group{&same_bitlines, &same_block});
  if (!multi_plane) {
    bench.gather(QueueKind::host_read);
    CHECK(bench.group == Bench::Group{&other_plane});
  }
  CHECK(bench.gather(QueueKind::host_read) == grouped);
  CHECK(bench.group == Bench::Group{&whole_page});
  CHECK(whole_page.command.subpages == all_subpages);
}

TEST_CASE("a read of several subpages joins as a whole or not at all") {
  Bench bench(SubpageReads::soml);
  FlashOp& first = bench.read_of_subpage(0, 10, 0);
  FlashOp& two = bench.read_of_subpage(0, 11, 1, 2);
  FlashOp& one_is_taken = bench.read_of_subpage(0, 12, 2, 2);
  FlashOp& last = bench.read_of_subpage(0, 13, 3);
  bench.gather(QueueKind::host_read);
  CHECK(bench.group == Bench::Group{&first, &two, &last});
  CHECK(two.command.subpages == 0b0110);
  bench.gather(QueueKind::host_read);
  CHECK(bench.group == Bench::Group{&one_is_taken});
}

TEST_CASE("a read joins with its companion or not at all") {
  Bench bench(SubpageReads::soml);
  FlashOp& first = bench.read_of_subpage(0, 10, 0);
  FlashOp& with_taken = bench.read_of_subpage(0, 11, 1);
  FlashOp& with_free = bench.read_of_subpage(0, 12, 2);
  Bench elsewhere;
  FlashOp& on_taken = elsewhere.read_of_subpage(0, 13, 0);
  FlashOp& on_free = elsewhere.read_of_subpage(0, 14, 3);
  with_taken.companion = &on_taken;
  with_free.companion = &on_free;
  bench.gather(QueueKind::host_read);
  CHECK(bench.group == Bench::Group{&first, &with_free, &on_free});
  bench.gather(QueueKind::host_read);
  CHECK(bench.group == Bench::Group{&with_taken, &on_taken});
}

TEST_CASE("reads of the same host command as the oldest read join first") {
  Bench bench(SubpageReads::srs);
  FlashOp& first = bench.read_of_subpage(0, 10, 0);
  FlashOp& alike = bench.read_of_subpage(0, 11, 1);
  FlashOp& of_its_command = bench.read_of_subpage(0, 12, 1, 2);
  FlashOp& on_other_plane = bench.read(1, 7, 12);
  FlashOp& alike_too = bench.read_of_subpage(0, 14, 3);
  for (FlashOp* read : {&first, &of_its_command, &on_other_plane}) read->command.request = 7;
  alike.command.request = 8;
  of_its_command.expected_round = 5;
  on_other_plane.expected_round = 4;
  bench.gather(QueueKind::host_read);
  CHECK(bench.group == Bench::Group{&first, &on_other_plane, &of_its_command, &alike_too});
}

TEST_CASE("an operation reads no more subpages than the limit, unless its first read has more") {
  Bench bench(SubpageReads::soml, true, 3);
  FlashOp& first = bench.read_of_subpage(0, 10, 0);
  FlashOp& three = bench.read_of_subpage(1, 10, 0, 3);
  FlashOp& two = bench.read_of_subpage(2, 10, 0, 2);
  FlashOp& one = bench.read_of_subpage(3, 10, 0);
  FlashOp& whole = bench.read(0, 0, 11);
  for (const Bench::Group& group : {Bench::Group{&first, &two}, {&three}, {&one}, {&whole}}) {
    bench.gather(QueueKind::host_read);
    CHECK(bench.group == group);
  }
}

TEST_CASE("with cache reads, whole pages are not grouped") {
  const Subpages subpages({.reads = SubpageReads::soml}, {.cache_read = true}, page_bytes);
  Bench bench;
  CHECK_FALSE(subpages.grouping()->takes(bench.read(0, 7)));
  CHECK(subpages.grouping()->takes(bench.read_of_subpage(0, 10, 0, 3)));
}

TEST_CASE("among subpages, the one likely to be decoded after the same number of reads joins first") {
  Bench bench(SubpageReads::srs);
  FlashOp& first = bench.read_of_subpage(0, 10, 0);
  FlashOp& far = bench.read_of_subpage(0, 11, 1);
  FlashOp& near = bench.read_of_subpage(0, 12, 2);
  first.expected_round = 3;
  far.expected_round = 1;
  near.expected_round = 3;
  bench.gather(QueueKind::host_read);
  CHECK(bench.group == Bench::Group{&first, &near, &far});
}

TEST_CASE("waiting operations are listed by queue") {
  Bench bench;
  bench.read(0, 1);
  bench.write(2, 1, Placement::wait);
  bench.gather(QueueKind::host_write);
  std::ostringstream listed;
  bench.queues.list(listed);
  CHECK(listed.str() == " host reads 1, host writes 1 (no place),");
}

TEST_CASE("dies of a set are visited in turn") {
  DieSet dies(130);
  CHECK(!dies.next(DieInChannel(5)).valid());
  for (const std::uint32_t die : {3, 64, 129}) dies.insert(DieInChannel(die));
  CHECK(dies.next(DieInChannel(0)) == DieInChannel(3));
  CHECK(dies.next(DieInChannel(3)) == DieInChannel(64));
  CHECK(dies.next(DieInChannel(64)) == DieInChannel(129));
  CHECK(dies.next(DieInChannel(129)) == DieInChannel(3));
  dies.erase(DieInChannel(64));
  CHECK(dies.next(DieInChannel(3)) == DieInChannel(129));
  dies.erase(DieInChannel(129));
  CHECK(dies.next(DieInChannel(3)) == DieInChannel(3));

  DieSet few(64);
  CHECK(!few.next(DieInChannel(63)).valid());
  few.insert(DieInChannel(63));
  CHECK(few.next(DieInChannel(63)) == DieInChannel(63));
  few.insert(DieInChannel(0));
  CHECK(few.next(DieInChannel(63)) == DieInChannel(0));
  CHECK(few.next(DieInChannel(0)) == DieInChannel(63));
}

// A policy that counts the waiting operations of its die, using only the calls that a policy receives.
TEST_CASE("while planes read on their own, the first read for a free plane is next, up to one that locks the die") {
  Bench b;
  PlainOp under_way;
  under_way.command.plane = PlaneInDie(0);
  under_way.command.independent = true;
  DieMachine machine;
  machine.sending().push(under_way);
  machine.operation_begins();
  machine.read_sent();
  CHECK(machine.takes_plane_read());
  b.read(0, 3);
  FlashOp& of_free_plane = b.read(2, 5);
  b.read(1, 1).locks_die = true;
  b.read(3, 1);
  CHECK(b.queues.read_of_free_plane(QueueKind::host_read, machine) == &of_free_plane);
  CHECK(b.queues.read_of_free_plane(QueueKind::background_read, machine) == nullptr);
  CHECK(&b.queues.take_read(of_free_plane) == &of_free_plane);
  CHECK(b.queues.read_of_free_plane(QueueKind::host_read, machine) == nullptr);
}

struct Account final : SchedulingPolicy {
  std::optional<QueueKind> choose(const DieCandidates&, Tick) const override { return std::nullopt; }
  bool keeps_account() const override { return true; }
  void insert(OpQueue& queue, FlashOp& op, Tick) override {
    ++waiting;
    queue.push(op);
  }
  void put_in(const FlashOp&) override { ++waiting; }
  void withdrawn(const FlashOp&) override { --waiting; }
  int waiting = 0;
};

TEST_CASE("a policy that keeps account is notified of each operation that enters or leaves a queue") {
  Account account;
  DieQueues queues(1, MultiPlane::none, nullptr, account);
  OpQueue group;
  PlainOp read;
  read.queue = QueueKind::background_read;
  queues.push(read, QueuePosition::by_policy, 0);
  CHECK(account.waiting == 1);
  queues.gather(QueueKind::background_read, group, 0);
  queues.push(read, QueuePosition::again, 0);
  CHECK(account.waiting == 2);
  Write padding;
  padding.queue = QueueKind::background_write;
  padding.placement = Placement::withdraw;
  queues.push(padding, QueuePosition::first, 0);
  CHECK(account.waiting == 3);
  queues.gather(QueueKind::background_write, group, 0);
  CHECK(padding.was_withdrawn);
  CHECK(account.waiting == 2);
}

}  // namespace
}  // namespace nandscape::controller
