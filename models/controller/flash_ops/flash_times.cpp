// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/flash_times.h"

#include <algorithm>
#include <utility>

namespace nandscape::controller {

namespace {

const FlashOp& op_of(const NandCommand& command) { return *static_cast<const FlashOp*>(command.owner); }

}  // namespace

FlashTimes::FlashTimes(const Geometry& geometry, Calendar& calendar, FlashScheduler::Port& flash)
    : dies_per_channel_(geometry.dies_per_channel()),
      calendar_(calendar),
      flash_(flash),
      buses_(geometry.channels),
      dies_(geometry.dies()) {
  for (Bus& bus : buses_) bus.mark = calendar.now();
  for (Die& die : dies_) {
    die.mark = calendar.now();
    for (Operation* operation : {&die.sending, &die.behind, &die.working, &die.suspended}) {
      operation->sheets.reserve(std::size_t{geometry.planes_per_die} * subpages_per_page);
    }
  }
}

void FlashTimes::begin(FlashOp& op, LatencyPart part, Tick now) {
  op.times = &sheets_.acquire();
  op.times->begin(part, now);
}

void FlashTimes::end(FlashOp& op) { sheets_.release(*std::exchange(op.times, nullptr)); }

FlashTimes::Use FlashTimes::use_of(const FlashOp& op) {
  return op.queue == QueueKind::host_read || op.queue == QueueKind::host_write ? Use::host : Use::background;
}

// --- clocks

void FlashTimes::advance(Bus& bus, Tick now) {
  const Tick passed = now - std::exchange(bus.mark, now);
  if (bus.use() == Use::host) bus.host += passed;
  if (bus.use() == Use::background) bus.background += passed;
}

// Returns the clock that runs because the die itself is busy; null when it is not.
Tick* FlashTimes::clock_of(Die& die) {
  const auto at_work = [&](Use use) {
    return die.sending.use == use || die.working.use == use || die.behind.use == use;
  };
  if (at_work(Use::host)) return &die.clocks.die;
  if (at_work(Use::background)) return &die.clocks.collection;
  return nullptr;
}

void FlashTimes::advance(Die& die, Bus& bus, Tick now) {
  advance(bus, now);
  const Tick passed = now - std::exchange(die.mark, now);
  const Tick by_host = bus.host - std::exchange(die.bus_host, bus.host);
  const Tick by_background = bus.background - std::exchange(die.bus_background, bus.background);
  if (Tick* const clock = clock_of(die)) {
    *clock += passed;
    return;
  }
  const Tick free = passed - by_host - by_background;
  die.clocks.channel += by_host;
  die.clocks.collection += by_background;
  switch (die.suspended.use) {
    case Use::none: die.clocks.nothing += free; break;
    case Use::host: die.clocks.die += free; break;
    case Use::background: die.clocks.collection += free; break;
  }
}

void FlashTimes::note_use(Bus& bus, Use before, Tick now) {
  const bool was = before == Use::background;
  const bool is = bus.use() == Use::background;
  if (was && !is) {
    bus.past[bus.next_past] = {bus.background_since, now};
    bus.next_past = (bus.next_past + 1) % remembered_uses;
  }
  if (!was && is) bus.background_since = now;
}

Tick FlashTimes::background_since(const Bus& bus, Tick then, Tick now) {
  Tick sum = bus.use() == Use::background ? now - std::max(then, bus.background_since) : 0;
  for (std::size_t k = 1; k <= remembered_uses; ++k) {
    const PastUse& past = bus.past[(bus.next_past + remembered_uses - k) % remembered_uses];
    if (past.end <= then) break;
    sum += past.end - std::max(then, past.begin);
  }
  return sum;
}

// --- waiting for the die

void FlashTimes::enqueued(FlashOp& op, Tick now) {
  const std::size_t index = index_of(op.channel, op.command);
  Die& die = dies_[index];
  advance(die, buses_[op.channel.value], now);
  OpTimes& sheet = *op.times;
  sheet.enter(LatencyPart::die, now);
  sheet.waiting_ = true;
  sheet.die_ = index;
  sheet.from_ = die.clocks;
}

// An op that was sent to a die other than the one it waited for had no place on the first.
void FlashTimes::end_wait(OpTimes& sheet, bool program, Die& die, std::size_t index, Tick now) {
  if (!std::exchange(sheet.waiting_, false)) return;
  if (sheet.die_ != index) {
    sheet.set_apart(LatencyPart::collection, sheet.since_mark(now), now);
    return;
  }
  const WaitClocks& to = die.clocks;
  const WaitClocks& from = sheet.from_;
  const LatencyPart free = program ? LatencyPart::collection : LatencyPart::die;
  sheet.set_apart(LatencyPart::collection, to.collection - from.collection, now);
  sheet.set_apart(LatencyPart::channel, to.channel - from.channel, now);
  sheet.set_apart(free, to.nothing - from.nothing, now);
}

// --- phases

void FlashTimes::begin_request(ChannelId channel, NandCommand& command) {
  const Tick now = calendar_.now();
  const std::size_t index = index_of(channel, command);
  Die& die = dies_[index];
  Bus& bus = buses_[channel.value];
  advance(die, bus, now);
  if (answered_at_once(command.operation)) {
    control_begins(die, bus, command.operation, now);
    return flash_.begin_request(channel, command);
  }
  const FlashOp& op = op_of(command);
  const bool cache_read = is_cache_read(command);
  Operation& operation = cache_read ? die.behind : die.sending;
  ++operation.commands;
  operation.use = use_of(op);
  if (op.times != nullptr) {
    end_wait(*op.times, programs(command.operation), die, index, now);
    op.times->enter(cache_read ? LatencyPart::die : LatencyPart::transfer, now);
    operation.sheets.push_back(op.times);
  }
  if (!cache_read) {
    const Use before = bus.use();
    bus.requesting = operation.use;
    note_use(bus, before, now);
  }
  flash_.begin_request(channel, command);
}

void FlashTimes::request_ended(ChannelId channel, NandCommand& command, Tick now, FlashScheduler& scheduler) {
  note_request_end(channel, command, now);
  scheduler.request_ended(channel, command, now);
}

void FlashTimes::response_begins(ChannelId channel, NandCommand& command, Tick now, FlashScheduler& scheduler) {
  note_response(channel, command, now);
  scheduler.response_begins(channel, command, now);
}

void FlashTimes::note_request_end(ChannelId channel, const NandCommand& command, Tick now) {
  Die& die = dies_[index_of(channel, command)];
  Bus& bus = buses_[channel.value];
  advance(die, bus, now);
  const Use before = bus.use();
  bus.requesting = Use::none;
  note_use(bus, before, now);
  if (command.more_planes) return;
  const bool array_is_free = die.working.commands == 0;
  move(die.sending, array_is_free ? die.working : die.behind);
  enter_all(array_is_free ? die.working : die.behind, array_is_free ? LatencyPart::array : LatencyPart::die, now);
}

void FlashTimes::note_response(ChannelId channel, const NandCommand& command, Tick now) {
  if (command.status == NandStatus::aborted) return;  // handled at the end of its reset
  Die& die = dies_[index_of(channel, command)];
  Bus& bus = buses_[channel.value];
  advance(die, bus, now);
  const Use before = bus.use();
  if (answered_at_once(command.operation)) {
    bus.requesting = Use::none;
    note_use(bus, before, now);
    return control_ended(die, command, now);
  }
  if (OpTimes* const own = op_of(command).times) {
    const Tick asked = command.bus_asked;
    if (own->part() == LatencyPart::array && asked > own->mark() && asked < now)
      own->enter(LatencyPart::channel, asked);
    // The wait for the bus, split into its causes.
    own->set_apart(LatencyPart::collection,
                   own->part() == LatencyPart::channel ? background_since(bus, own->mark(), now) : 0, now);
    own->enter(LatencyPart::transfer, now);
  }
  // The other planes have finished as well, and wait for the bus.
  for (OpTimes* sheet : die.working.sheets) {
    if (sheet->part() == LatencyPart::array) sheet->enter(LatencyPart::channel, now);
  }
  bus.responding = use_of(op_of(command));
  note_use(bus, before, now);
}

void FlashTimes::end_response(ChannelId channel, NandCommand& command) {
  const Tick now = calendar_.now();
  Die& die = dies_[index_of(channel, command)];
  Bus& bus = buses_[channel.value];
  advance(die, bus, now);
  const Use before = bus.use();
  bus.responding = Use::none;
  note_use(bus, before, now);
  if (OpTimes* const own = op_of(command).times) {
    own->enter(command.operation == NandOperation::read ? LatencyPart::ecc : LatencyPart::firmware, now);
    std::erase(die.working.sheets, own);
  }
  if (--die.working.commands == 0) {
    die.working.clear();
    move(die.behind, die.working);
    enter_all(die.working, LatencyPart::array, now);
  }
  flash_.end_response(channel, command);
}

// --- commands that are answered at once

void FlashTimes::control_begins(Die& die, Bus& bus, NandOperation operation, Tick now) {
  const Use before = bus.use();
  bus.requesting = operation == NandOperation::resume ? die.suspended.use : Use::host;
  note_use(bus, before, now);
}

void FlashTimes::control_ended(Die& die, const NandCommand& command, Tick now) {
  if (command.operation == NandOperation::suspend && command.status == NandStatus::pass) {
    move(die.working, die.suspended);
    enter_all(die.suspended, LatencyPart::die, now);
  } else if (command.operation == NandOperation::resume) {
    move(die.suspended, die.working);
    enter_all(die.working, LatencyPart::array, now);
  } else if (command.operation == NandOperation::reset) {
    for (Operation* operation : {&die.sending, &die.behind, &die.working}) operation->clear();
  }
}

void FlashTimes::enter_all(Operation& operation, LatencyPart part, Tick now) {
  for (OpTimes* sheet : operation.sheets) sheet->enter(part, now);
}

void FlashTimes::move(Operation& from, Operation& to) {
  std::swap(from, to);
  from.clear();
}

}  // namespace nandscape::controller
