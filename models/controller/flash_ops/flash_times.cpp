// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/flash_times.h"

#include <algorithm>
#include <utility>

namespace nandscape::controller {

namespace {

const FlashOp& op_of(const NandCommand& command) { return *static_cast<const FlashOp*>(command.owner); }

// Records that the commands of the operation enter the given part of their latency.
void enter(const OpQueue& operation, LatencyPart part, Tick now) {
  for (const FlashOp& op : operation) {
    if (op.times != nullptr) op.times->enter(part, now);
  }
}

}  // namespace

FlashTimes::FlashTimes(const Geometry& geometry, Tick now)
    : dies_per_channel_(geometry.dies_per_channel()), buses_(geometry.channels), dies_(geometry.dies()) {
  for (Bus& bus : buses_) bus.mark = now;
  for (Die& die : dies_) die.mark = now;
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

void FlashTimes::advance(Die& die, Bus& bus, Tick now) {
  advance(bus, now);
  const Tick passed = now - std::exchange(die.mark, now);
  const Tick by_host = bus.host - std::exchange(die.bus_host, bus.host);
  const Tick by_background = bus.background - std::exchange(die.bus_background, bus.background);
  if (die.working != Use::none) {
    (die.working == Use::host ? die.clocks.die : die.clocks.collection) += passed;
    return;
  }
  const Tick free = passed - by_host - by_background;
  die.clocks.channel += by_host;
  die.clocks.collection += by_background;
  switch (die.suspended) {
    case Use::none: die.clocks.nothing += free; break;
    case Use::host: die.clocks.die += free; break;
    case Use::background: die.clocks.collection += free; break;
  }
}

void FlashTimes::look_at(const DieMachine& machine, Die& die) {
  die.working = Use::none;
  for (const OpQueue* ops : {&machine.sending(), &machine.array(), &machine.cached()}) {
    for (const FlashOp& op : *ops) {
      if (die.working != Use::host) die.working = use_of(op);
    }
  }
  die.suspended = use_of(machine.suspended());
}

void FlashTimes::set_use(Bus& bus, Use Bus::*side, Use use, Tick now) {
  const bool was = bus.use() == Use::background;
  bus.*side = use;
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

// Ends the wait for the die and divides it among its causes. If the op was finally sent to another die than the one
// that it waited for, the first die had no free page for it. The whole wait then counts as collection, which has to
// free pages.
void FlashTimes::end_wait(OpTimes& sheet, bool program, const Die& die, std::size_t index, Tick now) {
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

void FlashTimes::request_begins(ChannelId channel, const DieMachine& machine, const NandCommand& command, Tick now) {
  const std::size_t index = index_of(channel, command);
  Die& die = dies_[index];
  Bus& bus = buses_[channel.value];
  advance(die, bus, now);
  if (answered_at_once(command.operation)) {
    const bool resumes = command.operation == NandOperation::resume;
    set_use(bus, &Bus::requesting, resumes ? die.suspended : Use::host, now);
    return;
  }
  const FlashOp& op = op_of(command);
  const bool cache_read = is_cache_read(command);
  if (op.times != nullptr) {
    end_wait(*op.times, programs(command.operation), die, index, now);
    op.times->enter(cache_read ? LatencyPart::die : LatencyPart::transfer, now);
  }
  if (!cache_read) set_use(bus, &Bus::requesting, use_of(op), now);
  look_at(machine, die);
}

void FlashTimes::request_ended(ChannelId channel, const DieMachine& machine, const NandCommand& command, Tick now) {
  Die& die = dies_[index_of(channel, command)];
  Bus& bus = buses_[channel.value];
  advance(die, bus, now);
  set_use(bus, &Bus::requesting, Use::none, now);
  if (command.more_planes) return;
  if (command.independent) {
    if (OpTimes* const own = op_of(command).times) own->enter(LatencyPart::array, now);
    return;
  }
  if (machine.cached().empty()) {
    enter(machine.array(), LatencyPart::array, now);
  } else {
    enter(machine.cached(), LatencyPart::die, now);
  }
}

void FlashTimes::response_begins(ChannelId channel, const DieMachine& machine, const NandCommand& command, Tick now) {
  Die& die = dies_[index_of(channel, command)];
  Bus& bus = buses_[channel.value];
  advance(die, bus, now);
  if (answered_at_once(command.operation)) {
    set_use(bus, &Bus::requesting, Use::none, now);
    if (command.operation == NandOperation::suspend) enter(machine.suspended(), LatencyPart::die, now);
    if (command.operation == NandOperation::resume) enter(machine.array(), LatencyPart::array, now);
    look_at(machine, die);
    return;
  }
  if (OpTimes* const own = op_of(command).times) {
    const Tick asked = command.bus_asked;
    if (own->part() == LatencyPart::array && asked > own->mark() && asked < now)
      own->enter(LatencyPart::channel, asked);
    // While the op waits for the bus, the time during which background work uses the bus counts as collection.
    own->set_apart(LatencyPart::collection,
                   own->part() == LatencyPart::channel ? background_since(bus, own->mark(), now) : 0, now);
    own->enter(LatencyPart::transfer, now);
  }
  // The array operation has ended on the other planes as well, so the ops to these planes wait for the bus from now on.
  for (const FlashOp& op : machine.array()) {
    if (op.command.independent) break;
    if (op.times != nullptr && op.times->part() == LatencyPart::array) op.times->enter(LatencyPart::channel, now);
  }
  set_use(bus, &Bus::responding, use_of(op_of(command)), now);
}

void FlashTimes::response_ended(ChannelId channel, const DieMachine& machine, const NandCommand& command, Tick now) {
  Die& die = dies_[index_of(channel, command)];
  Bus& bus = buses_[channel.value];
  advance(die, bus, now);
  set_use(bus, &Bus::responding, Use::none, now);
  if (OpTimes* const own = op_of(command).times) {
    own->enter(command.operation == NandOperation::read ? LatencyPart::ecc : LatencyPart::firmware, now);
  }
  if (machine.array_over()) enter(machine.cached(), LatencyPart::array, now);
  look_at(machine, die);
}

}  // namespace nandscape::controller
