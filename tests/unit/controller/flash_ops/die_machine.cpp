// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/die_machine.h"

#include <array>

#include "catch.h"
#include "fakes/plain_op.h"

namespace nandscape::controller {
namespace {

using enum DieMachine::State;
using Work = DieMachine::Work;

struct Bench {
  // Sends an operation on `planes` planes, from BEGIN_REQ to END_REQ. Returns whether the array starts.
  bool send(NandOperation operation, std::size_t planes = 1, bool cache = false, Tick now = 0) {
    for (std::size_t plane = 0; plane < planes; ++plane) {
      NandCommand& command = ops[next].command;
      command.operation = operation;
      command.cache = cache;
      command.response_time = 5;
      die.sending().push(ops[next++]);
    }
    die.operation_begins();
    return die.operation_sent(now);
  }
  // Transfers the next response. Responses are in the order in which the operations were sent.
  bool respond() {
    die.response_begins();
    return die.command_ends(ops[ended++]);
  }

  DieMachine die;
  std::array<PlainOp, 8> ops;
  std::size_t next = 0;
  std::size_t ended = 0;
};

TEST_CASE("an operation on two planes leaves the array with its second response") {
  Bench b;
  CHECK(b.die.free());
  CHECK_FALSE(b.die.occupied());
  CHECK(b.send(NandOperation::read, 2));
  CHECK(b.die.busy(Work::reading));
  CHECK_FALSE(b.respond());
  CHECK(b.die.state() == responding);
  CHECK(b.respond());
  CHECK(b.die.state() == ended);
  CHECK(b.die.free());
  CHECK_FALSE(b.die.takes_reset());
  b.die.end_told();
  CHECK(b.die.state() == idle);
  CHECK(b.die.takes_reset());
}

TEST_CASE("the cache register takes a program from tPCBSY on, and only one") {
  Bench b;
  CHECK(b.send(NandOperation::program, 1, true, 100));
  CHECK_FALSE(b.die.takes_program(104));
  CHECK(b.die.takes_program(105));
  CHECK(b.die.takes_suspend());
  CHECK_FALSE(b.send(NandOperation::program, 1, false, 120));
  CHECK_FALSE(b.die.takes_program(120));
  CHECK_FALSE(b.die.takes_suspend());
  CHECK_FALSE(b.respond());
  REQUIRE(b.die.array_over());
  b.die.cached_begins(200);
  CHECK(b.die.busy(Work::programming));
  CHECK(b.die.running_since() == 200);
  CHECK(b.die.cached().empty());
  CHECK_FALSE(b.die.takes_program(300));  // the last program of its stream
  CHECK(b.respond());
}

TEST_CASE("a program that ends while the next is on the bus leaves the die to it") {
  Bench b;
  b.send(NandOperation::program, 1, true);
  b.ops[b.next].command.operation = NandOperation::program;
  b.die.sending().push(b.ops[b.next++]);
  b.die.operation_begins();
  CHECK(b.die.busy(Work::programming));
  CHECK(b.respond());
  CHECK(b.die.state() == sending);
  CHECK(b.die.operation_sent(10));
  CHECK(b.die.busy(Work::programming));
}

TEST_CASE("a suspended erase leaves the die to reads, and counts its suspends") {
  Bench b;
  b.send(NandOperation::erase);
  b.die.control_begins(NandOperation::suspend);
  CHECK(b.die.state() == halting);
  CHECK_FALSE(b.die.takes_suspend());
  b.die.suspend_passed();
  CHECK(b.die.state() == suspending);
  b.die.array_halted();
  CHECK(b.die.free());
  CHECK(b.die.occupied());
  b.send(NandOperation::read);
  CHECK_FALSE(b.die.takes_suspend());
  b.die.response_begins();
  CHECK(b.die.command_ends(b.ops[1]));
  b.die.end_told();
  b.die.control_begins(NandOperation::resume);
  CHECK(b.die.state() == resuming);
  b.die.resumed(500);
  CHECK(b.die.busy(Work::erasing));
  CHECK(b.die.suspends() == 1);
  CHECK(b.die.running_since() == 500);
  CHECK(b.die.suspended().empty());
}

TEST_CASE("an erase that ends before its suspend arrives puts out its status") {
  Bench b;
  b.send(NandOperation::erase);
  b.die.control_begins(NandOperation::suspend);
  b.die.suspend_failed();
  CHECK(b.die.state() == responding);
  CHECK(b.respond());
}

TEST_CASE("a copyback read leaves its page in the page register") {
  Bench b;
  b.send(NandOperation::copyback_read);
  CHECK_FALSE(b.respond());
  REQUIRE(b.die.array_over());
  b.die.page_copied(b.ops[0]);
  b.die.pages_copied();
  CHECK(b.die.free());
  CHECK(b.die.occupied());
  CHECK(b.die.copied().front() == &b.ops[0]);
  CHECK(b.die.copies_leave().size() == 1);
  CHECK(b.die.rests());
}

TEST_CASE("a reset drops a read and the cache read behind it") {
  Bench b;
  b.send(NandOperation::read);
  CHECK(b.die.takes_cache_read());
  b.die.cache_read_sent(b.ops[1]);
  CHECK_FALSE(b.die.takes_cache_read());
  b.die.control_begins(NandOperation::reset);
  b.die.work_dropped();
  CHECK(b.die.occupied());
  CHECK_FALSE(b.die.free());
  b.die.control_ends();
  CHECK(b.die.state() == idle);
  CHECK(b.die.cached().empty());
}

TEST_CASE("a feature is set without the array") {
  Bench b;
  b.die.control_begins(NandOperation::set_feature);
  CHECK_FALSE(b.die.free());
  CHECK_FALSE(b.die.occupied());
  b.die.control_ends();
  CHECK(b.die.free());
}

}  // namespace
}  // namespace nandscape::controller
