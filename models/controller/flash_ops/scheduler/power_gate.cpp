// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/power_gate.h"

#include <algorithm>
#include <utility>

namespace nandscape::controller {

PowerGate::PowerGate(PowerControl& control, const Geometry& geometry)
    : control_(control), geometry_(geometry), accounts_(geometry.dies()) {}

// --- draws

Microwatts PowerGate::draw_of(const OpQueue& operation) const {
  Microwatts sum = 0;
  for (const FlashOp& op : operation) sum += control_.draw(op.command);
  return sum;
}

// A die has one array, so only one of its operations draws power at a time. During a response, the array has ended.
// Planes that read on their own draw power together, and each until its response has ended.
Microwatts PowerGate::draw_of(const DieMachine& machine) const {
  using State = DieMachine::State;
  if (!machine.array().empty() && machine.array().front()->command.independent) {
    return draw_of(machine.array()) + draw_of(machine.sending());
  }
  Microwatts most = std::max(draw_of(machine.sending()), draw_of(machine.cached()));
  if (machine.state() != State::responding) most = std::max(most, draw_of(machine.array()));
  if (machine.state() == State::resuming) most = std::max(most, draw_of(machine.suspended()));
  return most;
}

Microwatts PowerGate::need_of_kind(const DieScheduler& die, QueueKind kind, const FlashOp* first) const {
  if (first == nullptr) return 0;
  const Microwatts draw = control_.draw(first->command);
  const bool writes = kind == QueueKind::host_write || kind == QueueKind::background_write;
  return (writes ? std::max(draw, control_.most_of_write()) : draw) * die.queues.most_gathered(kind, *first);
}

Microwatts PowerGate::need_of_locked(const DieScheduler& die) const {
  Microwatts sum = 0;
  for (const FlashOp& op : die.queues.under_lock()) {
    sum += control_.draw(op.command);
    if (!op.command.single_operation) break;
  }
  return sum;
}

Microwatts PowerGate::need_of_plane_read(const DieScheduler& die) const {
  Microwatts most = 0;
  for (const QueueKind kind : {QueueKind::host_read, QueueKind::background_read}) {
    const FlashOp* const read = die.queues.read_of_free_plane(kind, die.machine);
    if (read != nullptr) most = std::max(most, control_.draw(read->command));
  }
  return most;
}

Microwatts PowerGate::need_of(const DieScheduler& die, Tick now) const {
  const DieMachine& machine = die.machine;
  if (!die.could_start(now)) return 0;
  if (die.locked) return need_of_locked(die);
  if (machine.state() == DieMachine::State::copied) return control_.most_of_write() * machine.copied().size();
  if (machine.takes_plane_read()) return need_of_plane_read(die);
  // A busy die suspends its operation, which frees power, or takes a program into its cache register.
  if (!machine.free() && !machine.takes_program(now)) return 0;
  Microwatts most = draw_of(machine.suspended());
  const DieCandidates candidates = machine.suspended().empty() ? die.queues.candidates() : DieCandidates{};
  for (std::size_t kind = 0; kind < queue_kinds; ++kind) {
    most = std::max(most, need_of_kind(die, static_cast<QueueKind>(kind), candidates.first[kind]));
  }
  most = std::max(most, need_of_kind(die, QueueKind::host_read, die.queues.host_read()));
  return std::max(most - account(die).drawn, Microwatts{0});
}

// --- who may begin

void PowerGate::update(const DieScheduler& die) {
  DieAccount& of_die = account(die);
  const Microwatts drawn = draw_of(die.machine);
  freed_ = freed_ || drawn < of_die.drawn;
  drawn_ += drawn - of_die.drawn;
  of_die.drawn = drawn;
}

void PowerGate::count_again(const IdVector<DieId, DieScheduler>& dies) {
  passed_ = nullptr;
  for (const DieScheduler& die : dies) update(die);
  freed_ = false;
}

// The dies that began to wait earlier keep what they need.
bool PowerGate::admits(DieScheduler& die, Tick now) {
  const Microwatts need = need_of(die, now);
  if (need == 0 || lifted_) return true;
  Microwatts before = 0;
  bool first = true;
  for (const DieScheduler* const other : waiting_) {
    if (other == &die) break;
    const Microwatts of_other = need_of(*other, now);
    before += of_other;
    first = first && of_other == 0;
  }
  return fits(before + need) || (first && drawn_ == 0);
}

bool PowerGate::pass(ChannelState& channel, Tick now) {
  settle();
  for (;;) {
    const DieInChannel next = channel.ready.next(channel.last_served);
    if (!next.valid()) return false;
    DieScheduler& die = channel.dies[next.value];
    if (admits(die, now)) {
      end_wait(die, now);
      passed_ = &die;
      return !waiting_.empty();
    }
    begin_wait(die, now);
    die.set_ready(false);
  }
}

bool PowerGate::passes_cache_read(const DieScheduler& die) {
  settle();
  const FlashOp* const read = die.locked ? die.queues.locked() : die.queues.host_read();
  const bool too_little = !waiting_.empty() || (read != nullptr && !fits(control_.draw(read->command)));
  if (too_little && !lifted_) return false;
  passed_ = &die;
  return true;
}

bool PowerGate::changed(DieScheduler& die, Tick now) {
  settle();
  update(die);
  const bool gave_up = !die.ready && end_wait(die, now);
  return (std::exchange(freed_, false) || gave_up) && !waiting_.empty();
}

std::vector<DieScheduler*> PowerGate::could_begin(Tick now) {
  settle();
  std::vector<DieScheduler*> dies;
  for (DieScheduler* const die : waiting_) {
    if (!admits(*die, now)) break;
    dies.push_back(die);
  }
  return dies;
}

void PowerGate::begin_wait(DieScheduler& die, Tick now) {
  DieAccount& of_die = account(die);
  if (std::exchange(of_die.waits, true)) return;
  of_die.since = now;
  waiting_.push_back(&die);
  control_.count_wait();
}

bool PowerGate::end_wait(DieScheduler& die, Tick now) {
  DieAccount& of_die = account(die);
  if (!std::exchange(of_die.waits, false)) return false;
  control_.count_waited(now - of_die.since);
  std::erase(waiting_, &die);
  return true;
}

}  // namespace nandscape::controller
