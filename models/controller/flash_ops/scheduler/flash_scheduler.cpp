// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/flash_scheduler.h"

#include <bit>
#include <utility>

namespace nandscape {

namespace {

FlashOp& transaction_of(const NandCommand& command) { return *static_cast<FlashOp*>(command.owner); }

std::vector<std::unique_ptr<SchedulingPolicy>> make_policies(const VariantChoice& choice, std::uint32_t dies) {
  std::vector<std::unique_ptr<SchedulingPolicy>> policies;
  policies.push_back(scheduling_registry().make(choice, dies));
  if (!policies.front()->keeps_account()) return policies;
  while (policies.size() < dies) policies.push_back(scheduling_registry().make(choice, dies));
  return policies;
}

}  // namespace

void describe(const SchedulerCounters& c, StatisticsVisitor& v) {
  v.count("suspends", c.suspends, "programs and erases that a read of the host has suspended");
  v.count("operations", c.operations, "array operations, of one or several planes");
  v.real("planes_per_operation",
         c.operations == 0 ? 0 : static_cast<double>(c.planes) / static_cast<double>(c.operations), "",
         "planes of an operation, on average");
  v.count("multi_plane_operations", c.multi_plane_operations, "operations of more than one plane");
  v.count("subpage_operations", c.subpage_operations, "of the operations, those that read subpages of one plane");
  v.real("subpages_per_operation",
         c.subpage_operations == 0 ? 0 : static_cast<double>(c.subpages) / static_cast<double>(c.subpage_operations),
         "", "subpages of one of these, on average");
  v.count("cache_programs", c.cache_programs, "pages sent while the page before was programmed");
  v.count("copybacks", c.copybacks, "pages moved within their plane");
  v.count("resets", c.resets, "dies reset to end reads that nobody needs any more");
  v.count("starvation_interventions", c.starvation_interventions,
          "commands that went before others that the policy prefers, so as not to starve");
}

FlashScheduler::FlashScheduler(const SchedulerParameters& parameters, const Geometry& geometry, Calendar& calendar,
                               Port& port)
    : geometry_(geometry),
      parameters_(parameters),
      min_run_(ticks_from_us(parameters.min_run_us)),
      policies_(make_policies(parameters.policy, geometry.dies())),
      keeps_account_(policies_.front()->keeps_account()),
      calendar_(calendar),
      port_(port),
      dies_(geometry.dies()),
      channels_(geometry.channels) {
  for (std::size_t d = 0; d < dies_.size(); ++d) {
    dies_[d].planes.resize(geometry.planes_per_die);
    dies_[d].policy = policies_[keeps_account_ ? d : 0].get();
  }
  for (ChannelState& channel : channels_) {
    channel.ready.resize((geometry.dies_per_channel() + 63) / 64);
    channel.cacheable.resize(channel.ready.size());
  }
}

SchedulerCounters FlashScheduler::counters() const {
  SchedulerCounters counters = counters_;
  for (const auto& policy : policies_) counters.starvation_interventions += policy->interventions();
  return counters;
}

void FlashScheduler::persist(Archive& archive) {
  archive.section("flash scheduler");
  archive.expect("dies", dies_.size());
  archive.counter(sequence_, "the number of commands");
  for (ChannelState& channel : channels_) {
    archive.index(channel.last_served, geometry_.dies_per_channel(), "the die that was served last");
  }
  for (DieState& die : dies_) {
    for (PlaneQueues& plane : die.planes) archive(plane.urgent);
  }
  archive.variant(parameters_.policy.name, [this](Archive& state) {
    for (const auto& policy : policies_) policy->persist(state);
  });
}

// Interventions of the policies are counted here from now on: those that read begin anew.
void FlashScheduler::persist_counters(Archive& archive) {
  SchedulerCounters sum = counters();
  archive(sum);
  if (archive.loading()) counters_ = sum;
}

void FlashScheduler::enqueue(FlashOp& transaction, Tick now) {
  transaction.sequence = transaction.rank = sequence_++;
  transaction.arrival = now;
  transaction.command.owner = &transaction;
  const ChannelId channel = transaction.channel;
  DieState& die = die_state(channel, transaction.command.die);
  PlaneQueues& plane = die.planes[transaction.command.plane];
  const auto put = [&](OpQueue& queue) {
    if (keeps_account_) {
      die.policy->insert(queue, transaction, now);
    } else {
      queue.push(transaction);
    }
  };
  switch (transaction.queue) {
    case QueueKind::host_read: put(die.host_reads); break;
    case QueueKind::host_write: put(plane.host_writes.waiting); break;
    case QueueKind::background_read: put(die.background_reads); break;
    case QueueKind::background_write: put(plane.background_writes.waiting); break;
    case QueueKind::erase: put(plane.erases); break;
  }
  update_ready(channel, transaction.command.die);
  dispatch(channel, now);
}

void FlashScheduler::enqueue_again(FlashOp& read, Tick now) {
  DieState& die = die_state(read.channel, read.command.die);
  OpQueue& queue = read.queue == QueueKind::host_read ? die.host_reads : die.background_reads;
  FlashOp* before = nullptr;
  for (FlashOp* t = queue.front(); t != nullptr && t->rank < read.rank; t = t->next) before = t;
  queue.insert_after(before, read);
  update_ready(read.channel, read.command.die);
  dispatch(read.channel, now);
}

void FlashScheduler::enqueue_locked(FlashOp& transaction, Tick now) {
  transaction.arrival = now;
  transaction.command.owner = &transaction;
  die_state(transaction.channel, transaction.command.die).under_lock.push(transaction);
  update_ready(transaction.channel, transaction.command.die);
  dispatch(transaction.channel, now);
}

void FlashScheduler::enqueue_operation(std::span<FlashOp* const> subpages, Tick now) {
  const FlashOp& first = *subpages.front();
  DieState& die = die_state(first.channel, first.command.die);
  for (FlashOp* read : subpages) {
    read->arrival = now;
    die.under_lock.push(*read);
  }
  update_ready(first.channel, first.command.die);
  dispatch(first.channel, now);
}

FlashOp* FlashScheduler::withdraw_locked(ChannelId channel, std::uint32_t index) {
  DieState& die = die_state(channel, index);
  if (die.under_lock.empty()) return nullptr;
  FlashOp& withdrawn = die.under_lock.pop();
  update_ready(channel, index);
  return &withdrawn;
}

void FlashScheduler::unlock_die(ChannelId channel, std::uint32_t die, Tick now) {
  die_state(channel, die).locked = false;
  --locked_dies_;
  update_ready(channel, die);
  dispatch(channel, now);
}

void FlashScheduler::enqueue_first(FlashOp& write, Tick now) {
  write.sequence = sequence_++;
  write.rank = 0;
  write.arrival = now;
  write.command.owner = &write;
  DieState& die = die_state(write.channel, write.command.die);
  PlaneQueues& plane = die.planes[write.command.plane];
  WriteQueue& queue = write.queue == QueueKind::host_write ? plane.host_writes : plane.background_writes;
  queue.waiting.push_front(write);
  if (keeps_account_) die.policy->came_first(write);
  queue.blocked = false;
  update_ready(write.channel, write.command.die);
  dispatch(write.channel, now);
}

void FlashScheduler::places_changed(PlaneId plane, Tick now) {
  const DieId id = geometry_.die_of(plane);
  const ChannelId channel = geometry_.channel_of(id);
  PlaneQueues& queues = dies_[id.value].planes[plane.value % geometry_.planes_per_die];
  queues.host_writes.blocked = queues.background_writes.blocked = false;
  update_ready(channel, id.value % geometry_.dies_per_channel());
  dispatch(channel, now);
}

void FlashScheduler::set_collection_urgent(PlaneId plane, bool urgent) {
  dies_[geometry_.die_of(plane).value].planes[plane.value % geometry_.planes_per_die].urgent = urgent;
}

// --- which dies could take a command
// -----------------------------------------------------------------------------------

void FlashScheduler::update_ready(ChannelId channel, std::uint32_t index) {
  DieState& die = die_state(channel, index);
  const auto set = [index](std::vector<std::uint64_t>& bits, bool value) {
    const std::uint64_t bit = std::uint64_t{1} << (index % 64);
    if (value) {
      bits[index / 64] |= bit;
    } else {
      bits[index / 64] &= ~bit;
    }
  };
  set(channels_[channel.value].ready, could_start(die));
  if (cache_reads()) set(channels_[channel.value].cacheable, could_cache_read(die));
  if (min_run_ == 0 || die.run_timer || die.host_reads.empty()) return;
  if (die.activity != Activity::programming && die.activity != Activity::erasing) return;
  if (const Tick over = die.running_since + min_run_; calendar_.now() < over) {
    die.run_timer = true;
    calendar_.schedule<&FlashScheduler::look_again>(over, *this, channel.value * geometry_.dies_per_channel() + index);
  }
}

std::uint32_t FlashScheduler::next_set(const std::vector<std::uint64_t>& bits, std::uint32_t after) {
  const std::uint32_t words = static_cast<std::uint32_t>(bits.size());
  const std::uint32_t start = after + 1;
  std::uint32_t index = start / 64 < words ? start / 64 : 0;
  std::uint64_t word = bits[index];
  if (start / 64 < words) word &= ~std::uint64_t{0} << (start % 64);
  // The first word is looked at twice: from the start on, and, last, from its beginning.
  for (std::uint32_t k = 0; word == 0; ++k) {
    if (k == words) return none;
    if (++index == words) index = 0;
    word = bits[index];
  }
  return index * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
}

// --- sending
// -----------------------------------------------------------------------------------------------------------

void FlashScheduler::send_held(Tick now) {
  holding_ = false;
  for (std::uint32_t channel = 0; channel < channels_.size(); ++channel) {
    if (std::exchange(channels_[channel].held, false)) dispatch(ChannelId(channel), now);
  }
}

void FlashScheduler::dispatch(ChannelId channel, Tick now) {
  ChannelState& state = channels_[channel.value];
  state.held |= holding_;
  if (holding_) return;
  if (state.dispatching) return;
  state.dispatching = true;
  while (!state.requesting) {
    // Cache reads need no bus time of their own.
    if (cache_reads()) {
      if (const std::uint32_t die = next_set(state.cacheable, state.last_served); die != none) {
        send_cache_read(channel, die);
        continue;
      }
    }
    if (state.responding) break;
    if (state.sending != none) {
      send_next(channel, state.sending);
      continue;
    }
    const std::uint32_t die = next_set(state.ready, state.last_served);
    if (die == none) break;
    state.last_served = die;
    serve(channel, die, now);
  }
  state.dispatching = false;
}

void FlashScheduler::serve(ChannelId channel, std::uint32_t index, Tick now) {
  DieState& die = die_state(channel, index);
  if (wants_suspend(die)) {
    send_control(channel, index, NandOperation::suspend);
    return;
  }
  if (die.locked) {
    if (!start_locked(channel, index, now)) update_ready(channel, index);
    return;
  }
  if (die.activity != Activity::idle && !could_cache_program(die)) {
    update_ready(channel, index);
    return;
  }
  if (die.copyback != nullptr && start_copyback_program(channel, index, now)) return;
  if (start(channel, index, now)) return;
  if (die.suspended != Activity::idle) {
    send_control(channel, index, NandOperation::resume);
  } else {
    update_ready(channel, index);
  }
}

bool FlashScheduler::start(ChannelId channel, std::uint32_t index, Tick now) {
  DieState& die = die_state(channel, index);
  if (keeps_account_) arrange(die);
  while (const std::optional<QueueKind> kind = die.policy->choose(candidates(die), now)) {
    // Only a program can join the one that is going on.
    if (die.activity == Activity::programming && !could_cache_program(die)) return false;
    if (!gather(die, *kind, now)) continue;
    // A session that was opened has begun already.
    if (die.group.empty()) return start_locked(channel, index, now);
    send_group(channel, index);
    return true;
  }
  return false;
}

bool FlashScheduler::start_locked(ChannelId channel, std::uint32_t index, Tick now) {
  DieState& die = die_state(channel, index);
  while (could_go_on(die)) {
    FlashOp& next = die.under_lock.pop();
    if (next.command.operation == NandOperation::read) {
      next.command.cache = false;
      die.group.push_back(&next);
      // Subpages are enqueued operation by operation.
      while (next.command.single_operation && !die.under_lock.empty()) die.group.push_back(&die.under_lock.pop());
      send_group(channel, index);
      return true;
    }
    if (next.command.operation != NandOperation::reset || die.activity != Activity::idle) {
      send_at_once(channel, index, next.command);
      return true;
    }
    next.array_done(now);
  }
  return false;
}

bool FlashScheduler::start_copyback_program(ChannelId channel, std::uint32_t index, Tick now) {
  DieState& die = die_state(channel, index);
  FlashOp& copy = *std::exchange(die.copyback, nullptr);
  const Placement placement = copy.place(now);
  if (placement == Placement::withdraw) {
    copy.withdrawn(now);
    return false;
  }
  if (placement == Placement::wait) {
    // What was enqueued first has a place, and this one may be waiting for it.
    WriteQueue& queue = die.planes[copy.command.plane].background_writes;
    FlashOp* before = nullptr;
    for (FlashOp* t = queue.waiting.front(); t != nullptr && t->rank == 0; t = t->next) before = t;
    queue.waiting.insert_after(before, copy);
    queue.blocked = before == nullptr;
    return false;
  }
  copy.command.operation = NandOperation::copyback_program;
  copy.command.retry_step = 0;
  ++counters_.copybacks;
  die.group.push_back(&copy);
  send_group(channel, index);
  return true;
}

void FlashScheduler::send_group(ChannelId channel, std::uint32_t index) {
  DieState& die = die_state(channel, index);
  for (std::size_t k = 0; k < die.group.size(); ++k) die.group[k]->command.more_planes = k + 1 < die.group.size();
  ++counters_.operations;
  if (die.group.front()->command.single_operation) {
    ++counters_.planes;
    ++counters_.subpage_operations;
    counters_.subpages += die.group.size();
  } else {
    counters_.planes += die.group.size();
    counters_.multi_plane_operations += die.group.size() > 1;
  }
  const bool behind = die.activity == Activity::programming;
  if (behind) counters_.cache_programs += die.group.size();
  if (keeps_account_ || parameters_.cache_program) {
    const DieCandidates left = candidates(die);
    // The die is told before the next page comes that it will.
    const bool more = parameters_.cache_program && die.group.front()->command.operation == NandOperation::program &&
                      (left[QueueKind::host_write] != nullptr || left[QueueKind::background_write] != nullptr);
    for (FlashOp* t : die.group) {
      if (parameters_.cache_program && t->command.operation == NandOperation::program) t->command.cache = more;
      // The second half of a copyback has been started with the first.
      if (counts(die, *t) && t->command.operation != NandOperation::copyback_program) {
        t->started = calendar_.now();
        die.policy->started(*t, left, calendar_.now());
      }
    }
  }
  if (!behind) die.activity = Activity::requesting;
  die.sent = 0;
  update_ready(channel, index);
  send_next(channel, index);
}

void FlashScheduler::send_next(ChannelId channel, std::uint32_t index) {
  DieState& die = die_state(channel, index);
  ChannelState& state = channels_[channel.value];
  NandCommand& command = die.group[die.sent++]->command;
  state.sending = command.more_planes ? index : none;
  state.requesting = true;
  port_.begin_request(channel, command);
}

void FlashScheduler::send_control(ChannelId channel, std::uint32_t index, NandOperation operation) {
  DieState& die = die_state(channel, index);
  NandCommand& command = operation == NandOperation::suspend ? die.suspend : die.resume;
  command.operation = operation;
  command.die = index;
  send_at_once(channel, index, command);
}

void FlashScheduler::send_at_once(ChannelId channel, std::uint32_t index, NandCommand& command) {
  die_state(channel, index).control_in_flight = true;
  update_ready(channel, index);
  channels_[channel.value].requesting = true;
  port_.begin_request(channel, command);
}

void FlashScheduler::send_cache_read(ChannelId channel, std::uint32_t index) {
  DieState& die = die_state(channel, index);
  if (keeps_account_) die.policy->arrange(die.host_reads, QueueKind::host_read);
  // Another read may have come to the front.
  if (!could_cache_read(die)) return update_ready(channel, index);
  FlashOp& read = die.locked ? die.under_lock.pop() : die.host_reads.pop();
  read.command.more_planes = false;
  read.command.single_operation = false;
  read.command.cache = true;
  die.cache_read = &read;
  ++counters_.operations;
  ++counters_.planes;
  if (counts(die, read)) {
    read.started = calendar_.now();
    die.policy->started(read, candidates(die), calendar_.now());
  }
  update_ready(channel, index);
  port_.begin_request(channel, read.command);  // accepted at once
}

// --- phases that come back
// ---------------------------------------------------------------------------------------------

void FlashScheduler::request_ended(ChannelId channel, NandCommand& command, Tick now) {
  ChannelState& state = channels_[channel.value];
  state.requesting = false;
  if (!command.more_planes) operation_sent(channel, command.die, command, now);
  dispatch(channel, now);
}

void FlashScheduler::operation_sent(ChannelId channel, std::uint32_t index, const NandCommand& last, Tick now) {
  DieState& die = die_state(channel, index);
  const auto size = static_cast<std::uint32_t>(die.group.size());
  const FlashOp* first = die.group.front();
  die.group.clear();
  const bool cacheable = last.operation == NandOperation::program && last.cache;
  if (die.activity == Activity::programming) {
    die.cached = size;
    die.cached_first = first;
    die.cached_last = &last;
  } else {
    die.unfinished = size;
    switch (last.operation) {
      case NandOperation::read: die.activity = Activity::reading; break;
      case NandOperation::copyback_read: die.activity = Activity::copying; break;
      case NandOperation::program:
      case NandOperation::copyback_program: die.activity = Activity::programming; break;
      default: die.activity = Activity::erasing; break;
    }
    if (die.activity == Activity::programming || die.activity == Activity::erasing) {
      die.under_way = first;
      program_begins(channel, index, cacheable, now + last.response_time);
    }
  }
  update_ready(channel, index);
}

void FlashScheduler::program_begins(ChannelId channel, std::uint32_t index, bool cacheable, Tick cache_free) {
  DieState& die = die_state(channel, index);
  die.suspends = 0;
  die.running_since = calendar_.now();
  die.cacheable_program = cacheable;
  if (!cacheable) return;
  die.cache_free = cache_free;
  calendar_.schedule<&FlashScheduler::look_again>(cache_free, *this,
                                                  channel.value * geometry_.dies_per_channel() + index);
}

void FlashScheduler::response_begins(ChannelId channel, NandCommand& command, Tick now) {
  ChannelState& state = channels_[channel.value];
  if (command.status == NandStatus::aborted) return;  // its end is that of the reset
  if (answered_at_once(command.operation)) {
    state.requesting = false;
    control_ended(channel, command, now);
    dispatch(channel, now);
    return;
  }
  state.responding = true;
  DieState& die = die_state(channel, command.die);
  die.responding = true;
  if (cache_reads()) update_ready(channel, command.die);
  calendar_.schedule<&FlashScheduler::response_ended>(now + command.response_time, *this,
                                                      reinterpret_cast<std::uint64_t>(&transaction_of(command)));
}

void FlashScheduler::control_ended(ChannelId channel, const NandCommand& command, Tick now) {
  DieState& die = die_state(channel, command.die);
  if (command.operation == NandOperation::set_feature || command.operation == NandOperation::reset) {
    calendar_.schedule<&FlashScheduler::locked_command_ended>(
        now + command.response_time, *this, reinterpret_cast<std::uint64_t>(&transaction_of(command)));
    return;
  }
  die.control_in_flight = false;
  if (command.operation == NandOperation::resume) {
    die.activity = std::exchange(die.suspended, Activity::idle);
    die.unfinished = die.suspended_unfinished;
    die.running_since = now;
  } else if (command.status == NandStatus::pass) {
    die.suspended = std::exchange(die.activity, Activity::suspending);
    die.suspended_unfinished = die.unfinished;
    ++die.suspends;
    ++counters_.suspends;
    const std::uint32_t index = channel.value * geometry_.dies_per_channel() + command.die;
    calendar_.schedule<&FlashScheduler::suspend_ended>(now + command.response_time, *this, index);
  } else {
    die.responding = true;  // it ended before the suspend could reach it
  }
  update_ready(channel, command.die);
}

void FlashScheduler::locked_command_ended(std::uint64_t argument) {
  FlashOp& transaction = *reinterpret_cast<FlashOp*>(argument);
  const ChannelId channel = transaction.channel;
  const std::uint32_t index = transaction.command.die;
  DieState& die = die_state(channel, index);
  die.control_in_flight = false;
  if (transaction.command.operation == NandOperation::reset) {
    ++counters_.resets;
    die.activity = Activity::idle;
    die.unfinished = 0;
    die.cache_read = nullptr;
  }
  update_ready(channel, index);
  transaction.array_done(calendar_.now());
  dispatch(channel, calendar_.now());
}

void FlashScheduler::suspend_ended(std::uint64_t index) {
  const DieId id(static_cast<std::uint32_t>(index));
  const ChannelId channel = geometry_.channel_of(id);
  dies_[index].activity = Activity::idle;
  update_ready(channel, id.value % geometry_.dies_per_channel());
  dispatch(channel, calendar_.now());
}

// A time has come that a die has waited for.
void FlashScheduler::look_again(std::uint64_t index) {
  const DieId id(static_cast<std::uint32_t>(index));
  const ChannelId channel = geometry_.channel_of(id);
  dies_[index].run_timer = false;
  update_ready(channel, id.value % geometry_.dies_per_channel());
  dispatch(channel, calendar_.now());
}

void FlashScheduler::response_ended(std::uint64_t argument) {
  const Tick now = calendar_.now();
  FlashOp& transaction = *reinterpret_cast<FlashOp*>(argument);
  const ChannelId channel = transaction.channel;
  const std::uint32_t index = transaction.command.die;
  DieState& die = die_state(channel, index);
  const bool over = --die.unfinished == 0;
  const bool another_waits = die.cache_read != nullptr || die.cached != 0;  // in the die
  const bool half_copied = transaction.command.operation == NandOperation::copyback_read;
  if (over && !another_waits && !half_copied) {
    // The next program may be on its way to a cache register.
    die.activity = die.group.empty() ? Activity::idle : Activity::requesting;
    die.responding = false;
    update_ready(channel, index);
  }
  channels_[channel.value].responding = false;
  // A command that can go has the bus before the next response, which the channel lets in at END_RESP.
  dispatch(channel, now);
  port_.end_response(channel, transaction.command);
  if (over && another_waits) {
    die.responding = false;
    if (die.cache_read != nullptr) {
      die.cache_read = nullptr;
      die.unfinished = 1;
    } else {
      // It has begun when the array was free. The register was so tPCBSY later, and at the latest as long from now.
      die.unfinished = std::exchange(die.cached, 0);
      die.under_way = die.cached_first;
      program_begins(channel, index, die.cached_last->cache, now + die.cached_last->response_time);
    }
    update_ready(channel, index);
  }
  if (half_copied) {
    die.activity = Activity::idle;
    die.responding = false;
    die.copyback = &transaction;
    update_ready(channel, index);
  } else {
    if (counts(die, transaction)) die.policy->ended(transaction, now);
    transaction.locks_die = false;
    transaction.array_done(now);
  }
  dispatch(channel, now);
}

}  // namespace nandscape
