// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/flash_scheduler.h"

#include <ostream>
#include <sstream>
#include <utility>

namespace nandscape::controller {

namespace {

FlashOp& op_of(const NandCommand& command) { return *static_cast<FlashOp*>(command.owner); }

std::vector<std::unique_ptr<SchedulingPolicy>> make_policies(const VariantChoice& choice, std::uint32_t dies) {
  std::vector<std::unique_ptr<SchedulingPolicy>> policies;
  policies.push_back(scheduling_registry().make(choice, dies));
  if (!policies.front()->keeps_account()) return policies;
  while (policies.size() < dies) policies.push_back(scheduling_registry().make(choice, dies));
  return policies;
}

}  // namespace

FlashScheduler::FlashScheduler(const SchedulerParameters& parameters, const Geometry& geometry,
                               const ReadGrouping* grouping, Calendar& calendar, Port& port, DieProbe* probe,
                               PowerControl* power)
    : geometry_(geometry),
      rules_(parameters, geometry.independent_plane_reads, grouping),
      policies_(make_policies(parameters.policy, geometry.dies())),
      calendar_(calendar),
      port_(port),
      probe_(probe) {
  const MultiPlane joined = !parameters.multi_plane            ? MultiPlane::none
                            : geometry.independent_plane_reads ? MultiPlane::programs_and_erases
                                                               : MultiPlane::all;
  dies_.reserve(geometry.dies());
  for (const DieId die : Places<DieId>(geometry.dies())) {
    SchedulingPolicy& policy = *policies_[policies_.size() == 1 ? 0 : die.value];
    dies_.emplace_back(geometry.channel_of(die), geometry.die_in_channel(die),
                       DieQueues(geometry.planes_per_die, joined, grouping, policy), policy, rules_);
  }
  channels_.reserve(geometry.channels);
  for (const ChannelId channel : Places<ChannelId>(geometry.channels)) {
    channels_.emplace_back(geometry.dies_per_channel()).dies = &dies_[geometry.die(channel, DieInChannel(0))];
  }
  for (DieScheduler& die : dies_) die.bus = &channels_[die.channel];
  if (power != nullptr) gate_.emplace(*power, geometry);
  rules_.set_power_limited(gate_ && gate_->limits());
}

// --- which dies could take a command

inline void FlashScheduler::update_ready(DieScheduler& die, Tick now) {
  die.set_ready(die.could_start(now));
  die.taken.set(die.machine.occupied(), now);
  if (rules_.looks_ahead) look_ahead(die, now);
}

// Keeps the account of the power of the die. Also schedules look_again() for the time from which a waiting host read
// may suspend the operation in the array.
[[gnu::noinline]] void FlashScheduler::look_ahead(DieScheduler& die, Tick now) {
  if (rules_.power_limited && gate_->changed(die, now)) give_power_soon();
  if (rules_.cache_reads) die.set_cacheable(die.could_cache_read());
  if (rules_.min_run == 0 || die.run_timer) return;
  if (const Tick over = die.runs_until(); now < over) {
    die.run_timer = true;
    calendar_.schedule<&FlashScheduler::look_again>(over, *this, die);
  }
}

inline void FlashScheduler::dispatch(ChannelState& channel, Tick now) {
  if ((channel.taken & rules_.keeps_back) == 0 && channel.any_waits()) send_all(channel, now);
}

void FlashScheduler::changed(DieScheduler& die, Tick now) {
  update_ready(die, now);
  dispatch(*die.bus, now);
}

// --- ops

// A die that executes other work than a program or an erase accepts no command before the end of this work, unless the
// scheduler looks ahead. Therefore nothing changes when an op is enqueued for it.
[[gnu::always_inline]] inline void FlashScheduler::insert(FlashOp& op, Tick now, QueuePosition position) {
  DieScheduler& die = die_at(op.channel, op.command.die);
  const bool is_new = position == QueuePosition::by_policy || position == QueuePosition::first;
  if (is_new) {
    op.sequence = sequence_++;
    op.rank = position == QueuePosition::first ? 0 : op.sequence;
  }
  if (position != QueuePosition::again) op.arrival = now;
  op.command.owner = &op;
  op.die = &die;
  die.queues.push(op, position, now);
  if (is_new && op.queue == QueueKind::host_read) die.reads_declined = false;
  if (rules_.looks_ahead || !die.machine.only_reads()) changed(die, now);
}

void FlashScheduler::enqueue(FlashOp& op, Tick now) { insert(op, now, QueuePosition::by_policy); }

void FlashScheduler::enqueue(FlashOp& op, Tick now, QueuePosition position) { insert(op, now, position); }

FlashOp* FlashScheduler::withdraw_locked(ChannelId channel, DieInChannel index) {
  DieScheduler& die = die_at(channel, index);
  if (die.queues.locked() == nullptr) return nullptr;
  FlashOp& withdrawn = die.queues.pop_locked();
  update_ready(die, calendar_.now());
  return &withdrawn;
}

void FlashScheduler::unlock_die(ChannelId channel, DieInChannel index, Tick now) {
  DieScheduler& die = die_at(channel, index);
  die.unlock();
  changed(die, now);
}

void FlashScheduler::places_changed(FlashPlane plane, Tick now) {
  DieScheduler& die = die_of(plane);
  die.queues.places_changed(geometry_.plane_in_die(plane));
  changed(die, now);
}

void FlashScheduler::set_collection_urgent(FlashPlane plane, bool urgent) {
  die_of(plane).queues.set_collection_urgent(geometry_.plane_in_die(plane), urgent);
}

void FlashScheduler::save() {
  rules_.saves = true;
  if (!rules_.power_limited) return;
  gate_->lift();
  give_power_soon();
}

// --- power

// The gate keeps accounts of the dies only while there is a limit, so that a drive without one pays nothing.
void FlashScheduler::power_limit_changed() {
  if (!gate_) return;
  if (gate_->any_waits()) return give_power_soon();
  if (!rules_.power_limited && gate_->limits()) gate_->count_again(dies_);
  rules_.set_power_limited(gate_->limits());
}

void FlashScheduler::ask_for_power(ChannelState& channel, Tick now) {
  if (gate_->pass(channel, now)) give_power_soon();
}

void FlashScheduler::give_power_soon() {
  if (std::exchange(gives_power_soon_, true)) return;
  calendar_.schedule<&FlashScheduler::give_power>(calendar_.now(), *this);
}

void FlashScheduler::give_power() {
  gives_power_soon_ = false;
  const Tick now = calendar_.now();
  for (DieScheduler* const die : gate_->could_begin(now)) changed(*die, now);
  rules_.set_power_limited(gate_->limits() || gate_->any_waits());
}

// --- sending

void FlashScheduler::hold() {
  for (ChannelState& channel : channels_) channel.taken |= ChannelState::holding;
}

void FlashScheduler::send_held(Tick now) {
  for (ChannelState& channel : channels_) channel.taken &= ~ChannelState::holding;
  for (ChannelState& channel : channels_) dispatch(channel, now);
}

inline void FlashScheduler::begin_request(DieScheduler& die, NandCommand& command, Tick now) {
  if (probe_ != nullptr) [[unlikely]]
    probe_->request_begins(die.channel, die.machine, command, now);
  port_.begin_request(die.channel, command);
}

inline void FlashScheduler::send(ChannelState& channel, DieScheduler& die, NandCommand& command, Tick now) {
  channel.sending = command.more_planes ? op_of(command).next : nullptr;
  channel.taken |= ChannelState::requesting;
  begin_request(die, command, now);
}

void FlashScheduler::send_cache_read(DieScheduler& die, Tick now) {
  if (rules_.power_limited && !gate_->passes_cache_read(die)) return die.set_cacheable(false);
  FlashOp* const read = die.next_cache_read(now);
  if (read == nullptr) return die.set_cacheable(false);
  update_ready(die, now);
  begin_request(die, read->command, now);  // the channel accepts it within this call
}

NandCommand* FlashScheduler::next_locked(DieScheduler& die, Tick now) {
  if (!die.locked) {
    die.set_ready(false);
    return nullptr;
  }
  NandCommand* const command = die.next_locked(now);
  if (command == nullptr) update_ready(die, now);  // a reset that ended at once may have unlocked the die
  return command;
}

inline bool FlashScheduler::send_next(ChannelState& channel, Tick now) {
  if (rules_.asks_first) [[unlikely]] {
    if (const DieInChannel die = channel.cacheable.next(channel.last_served); die.valid()) {
      send_cache_read(channel.dies[die.value], now);
      return true;
    }
    if ((channel.taken & ChannelState::responding) != 0) return false;
    if (rules_.power_limited && channel.sending == nullptr) ask_for_power(channel, now);
  }
  if (channel.sending != nullptr) [[unlikely]] {
    FlashOp& op = *channel.sending;
    send(channel, *op.die, DieScheduler::command_of(op), now);
    return true;
  }
  const DieInChannel next = channel.ready.next(channel.last_served);
  if (!next.valid()) return false;
  DieScheduler& die = channel.dies[next.value];
  NandCommand* command = die.next(now);
  if (command == nullptr) [[unlikely]] {
    command = next_locked(die, now);
    if (command == nullptr) return true;
  }
  channel.last_served = next;
  die.set_ready(false);  // until the state of the die changes or the cycles of the command have ended
  die.set_cacheable(false);
  die.taken.set(die.machine.occupied(), now);
  send(channel, die, *command, now);
  return true;
}

void FlashScheduler::send_all(ChannelState& channel, Tick now) {
  channel.taken |= ChannelState::dispatching;
  while (send_next(channel, now) && (channel.taken & rules_.keeps_back & ~ChannelState::dispatching) == 0) continue;
  channel.taken &= ~ChannelState::dispatching;
}

// --- phases from the channels

void FlashScheduler::request_ended(ChannelId, NandCommand& command, Tick now) {
  DieScheduler& die = *op_of(command).die;
  die.bus->taken &= ~ChannelState::requesting;
  if (command.operation != NandOperation::read || rules_.looks_ahead || probe_ != nullptr) {
    return operation_sent(die, command, now);
  }
  if (!command.more_planes) die.machine.read_sent();
  dispatch(*die.bus, now);
}

void FlashScheduler::operation_sent(DieScheduler& die, NandCommand& command, Tick now) {
  if (!command.more_planes) {
    if (die.machine.operation_sent(now)) array_started(die);
    if (rules_.looks_ahead || !die.machine.only_reads()) update_ready(die, now);
  }
  if (probe_ != nullptr) probe_->request_ended(die.channel, die.machine, command, now);
  dispatch(*die.bus, now);
}

inline void FlashScheduler::array_started(DieScheduler& die) {
  if (die.machine.programs_or_erases() && die.machine.cacheable()) {
    calendar_.schedule<&FlashScheduler::look_again>(die.machine.cache_free(), *this, die);
  }
}

bool FlashScheduler::response_begins(ChannelId channel, NandCommand& command, Tick now) {
  if (completed_in_the_call(command)) [[unlikely]] {
    control_answered(channel, command, now);
    return true;
  }
  DieScheduler& die = *op_of(command).die;
  die.bus->taken |= ChannelState::responding;
  die.machine.response_begins();
  if (rules_.asks_first || probe_ != nullptr) return look_and_await_end(die, command, now);
  calendar_.schedule<&FlashScheduler::response_ended>(now + command.response_time, *this, op_of(command));
  return false;
}

bool FlashScheduler::look_and_await_end(DieScheduler& die, NandCommand& command, Tick now) {
  if (probe_ != nullptr) probe_->response_begins(die.channel, die.machine, command, now);
  if (rules_.asks_first) update_ready(die, now);
  calendar_.schedule<&FlashScheduler::response_ended>(now + command.response_time, *this, op_of(command));
  return false;
}

void FlashScheduler::control_answered(ChannelId id, NandCommand& command, Tick now) {
  if (command.status == NandStatus::aborted) return;  // this command ends together with the reset
  ChannelState& channel = channels_[id];
  DieScheduler& die = channel.dies[command.die.value];
  channel.taken &= ~ChannelState::requesting;
  const Tick end = now + command.response_time;
  bool changes = true;
  switch (command.operation) {
    case NandOperation::suspend:
      if (command.status != NandStatus::pass) {
        die.machine.suspend_failed();
        break;
      }
      die.machine.suspend_passed();
      ++rules_.counters.suspends;
      calendar_.schedule<&FlashScheduler::array_halted>(end, *this, die);
      break;
    case NandOperation::resume: die.machine.resumed(now); break;
    case NandOperation::reset: die.machine.work_dropped(); [[fallthrough]];
    default:
      changes = false;  // the die does not change before control_ended()
      calendar_.schedule<&FlashScheduler::control_ended>(end, *this, op_of(command));
      break;
  }
  if (changes) update_ready(die, now);
  if (probe_ != nullptr) [[unlikely]]
    probe_->response_begins(die.channel, die.machine, command, now);
  dispatch(channel, now);
}

void FlashScheduler::control_ended(FlashOp& op) {
  const Tick now = calendar_.now();
  DieScheduler& die = *op.die;
  ChannelState& channel = *die.bus;
  rules_.counters.resets += op.command.operation == NandOperation::reset;
  die.machine.control_ends();
  update_ready(die, now);
  op.array_done(now);
  dispatch(channel, now);
}

void FlashScheduler::array_halted(DieScheduler& die) {
  die.machine.array_halted();
  changed(die, calendar_.now());
}

// Called at the earliest time at which the die can accept a cache program or a suspend. Checks whether such a command
// can be sent now.
void FlashScheduler::look_again(DieScheduler& die) {
  die.run_timer = false;
  changed(die, calendar_.now());
}

void FlashScheduler::response_ended(FlashOp& op) {
  const Tick now = calendar_.now();
  DieScheduler& die = *op.die;
  const bool counts = die.counts(op);  // must be evaluated first, because the next dispatch() may lock the die
  if (die.machine.command_ends(op)) update_ready(die, now);
  die.bus->taken &= ~ChannelState::responding;
  // Commands are sent before END_RESP, because the channel then grants the bus to the next response. Thus a command
  // that can be sent precedes that response.
  dispatch(*die.bus, now);
  if (probe_ != nullptr) [[unlikely]]
    probe_->response_ended(die.channel, die.machine, op.command, now);
  port_.end_response(die.channel, op.command);
  if (die.machine.array_over()) return array_over(die, op, counts, now);
  die.machine.end_told();
  die.end(op, counts, now);
  if (die.locked) [[unlikely]]
    changed(die, now);
}

void FlashScheduler::array_over(DieScheduler& die, FlashOp& op, bool counts, Tick now) {
  if (op.command.operation == NandOperation::copyback_read) {
    die.machine.pages_copied();
  } else {
    die.machine.cached_begins(now);
    array_started(die);
  }
  update_ready(die, now);
  die.end(op, counts, now);
  if (die.locked) update_ready(die, now);
  dispatch(*die.bus, now);
}

// --- reports and checkpoints

SchedulerCounters FlashScheduler::counters() const {
  SchedulerCounters counters = rules_.counters;
  for (const auto& policy : policies_) counters.starvation_interventions += policy->interventions();
  return counters;
}

std::vector<Tick> FlashScheduler::occupied_dies() const {
  std::vector<Tick> times;
  times.reserve(dies_.size());
  for (const DieScheduler& die : dies_) times.push_back(die.taken.total(calendar_.now()));
  return times;
}

void FlashScheduler::list_waiting(std::ostream& out) const {
  for (const DieId die : dies_.places()) {
    std::ostringstream of_die;
    dies_[die].list(of_die);
    const std::string waiting = of_die.str();
    if (!waiting.empty()) out << "die " << die.value << " " << waiting << "\n";
  }
}

void FlashScheduler::persist(Archive& archive) {
  archive.section("flash scheduler");
  archive.expect("dies", dies_.size());
  archive.counter(sequence_, "the number of commands");
  for (ChannelState& channel : channels_) {
    archive.index(channel.last_served, geometry_.dies_per_channel(), "the die that was served last");
  }
  for (DieScheduler& die : dies_) die.queues.persist(archive);
  archive.variant(rules_.policy_name, [this](Archive& state) {
    for (const auto& policy : policies_) policy->persist(state);
  });
}

// The saved counters include the interventions of the policies. After loading, they are part of `rules_.counters`,
// because the new policies count from zero.
void FlashScheduler::persist_counters(Archive& archive) {
  SchedulerCounters sum = counters();
  archive(sum);
  if (archive.loading()) rules_.counters = sum;
  for (DieScheduler& die : dies_) archive(die.taken);
}

}  // namespace nandscape::controller
