// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/flash_scheduler.h"

#include <algorithm>
#include <bit>
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

void describe(const SchedulerCounters& c, StatisticsVisitor& v) {
  v.count("suspends", c.suspends, "programs and erases suspended by host reads");
  v.count("operations", c.operations, "array operations, of one plane or several");
  v.ratio("planes_per_operation", static_cast<double>(c.planes), static_cast<double>(c.operations), "",
          "average planes per operation");
  v.count("multi_plane_operations", c.multi_plane_operations, "operations on more than one plane");
  v.count("multi_location_operations", c.multi_location_operations,
          "operations whose reads may be of any pages that share neither bitlines nor block decoders");
  v.ratio("locations_per_operation", static_cast<double>(c.locations), static_cast<double>(c.multi_location_operations),
          "", "average reads per multi-location operation");
  v.ratio("subpages_per_operation", static_cast<double>(c.subpages), static_cast<double>(c.multi_location_operations),
          "", "average page quarters read per multi-location operation");
  v.count("cache_programs", c.cache_programs, "pages sent while the previous page was programmed");
  v.count("copybacks", c.copybacks, "pages moved within their plane");
  v.count("resets", c.resets, "resets of dies to end reads that are no longer needed");
  v.count("starvation_interventions", c.starvation_interventions,
          "commands served out of the policy's order to prevent starvation");
}

FlashScheduler::FlashScheduler(const SchedulerParameters& parameters, const Geometry& geometry,
                               const ReadGrouping* grouping, Calendar& calendar, Port& port)
    : geometry_(geometry),
      parameters_(parameters),
      rules_(parameters),
      grouping_(grouping),
      policies_(make_policies(parameters.policy, geometry.dies())),
      keeps_account_(policies_.front()->keeps_account()),
      separates_classes_(policies_.front()->separates_classes()),
      calendar_(calendar),
      port_(port),
      channels_(geometry.channels, ChannelState(geometry.dies_per_channel())) {
  dies_.reserve(geometry.dies());
  for (std::uint32_t d = 0; d < geometry.dies(); ++d) {
    SchedulingPolicy& policy = *policies_[keeps_account_ ? d : 0];
    dies_.emplace_back(geometry.channel_of(DieId(d)), d % geometry.dies_per_channel(),
                       DieQueues(geometry.planes_per_die, parameters.multi_plane, grouping_, policy), policy, rules_);
  }
}

SchedulerCounters FlashScheduler::counters() const {
  SchedulerCounters counters = counters_;
  for (const auto& policy : policies_) counters.starvation_interventions += policy->interventions();
  return counters;
}

std::vector<Tick> FlashScheduler::occupied_dies() const {
  std::vector<Tick> times;
  times.reserve(dies_.size());
  for (const DieState& die : dies_) times.push_back(die.taken.total(calendar_.now()));
  return times;
}

void FlashScheduler::list_waiting(std::ostream& out) const {
  for (std::size_t index = 0; index < dies_.size(); ++index) {
    std::ostringstream of_die;
    dies_[index].list(of_die);
    const std::string waiting = of_die.str();
    if (!waiting.empty()) out << "die " << index << " " << waiting << "\n";
  }
}

void FlashScheduler::persist(Archive& archive) {
  archive.section("flash scheduler");
  archive.expect("dies", dies_.size());
  archive.counter(sequence_, "the number of commands");
  for (ChannelState& channel : channels_) {
    archive.index(channel.last_served, geometry_.dies_per_channel(), "the die that was served last");
  }
  for (DieState& die : dies_) die.queues.persist(archive);
  archive.variant(parameters_.policy.name, [this](Archive& state) {
    for (const auto& policy : policies_) policy->persist(state);
  });
}

// Loading adds the saved interventions of the policies to counters_, since new policies count from zero.
void FlashScheduler::persist_counters(Archive& archive) {
  SchedulerCounters sum = counters();
  archive(sum);
  if (archive.loading()) counters_ = sum;
  for (DieState& die : dies_) archive(die.taken);
}

void FlashScheduler::enqueue(FlashOp& op, Tick now) {
  op.sequence = op.rank = sequence_++;
  op.arrival = now;
  op.command.owner = &op;
  DieState& die = die_of(op);
  die.queues.push(op, now);
  if (op.queue == QueueKind::host_read) die.reads_declined = false;
  changed(die, now);
}

void FlashScheduler::enqueue_again(FlashOp& read, Tick now) {
  DieState& die = die_of(read);
  die.queues.push_again(read);
  changed(die, now);
}

void FlashScheduler::enqueue_first(FlashOp& write, Tick now) {
  write.sequence = sequence_++;
  write.rank = 0;
  write.arrival = now;
  write.command.owner = &write;
  DieState& die = die_of(write);
  die.queues.push_first(write);
  changed(die, now);
}

void FlashScheduler::enqueue_locked(FlashOp& op, Tick now) {
  op.arrival = now;
  op.command.owner = &op;
  DieState& die = die_of(op);
  die.under_lock.push(op);
  changed(die, now);
}

void FlashScheduler::enqueue_operation(std::span<FlashOp* const> group, Tick now) {
  DieState& die = die_of(*group.front());
  for (FlashOp* read : group) {
    read->arrival = now;
    die.under_lock.push(*read);
  }
  changed(die, now);
}

FlashOp* FlashScheduler::withdraw_locked(ChannelId channel, std::uint32_t index) {
  DieState& die = die_state(channel, index);
  if (die.under_lock.empty()) return nullptr;
  FlashOp& withdrawn = die.under_lock.pop();
  update_ready(die);
  return &withdrawn;
}

void FlashScheduler::lock(DieState& die) {
  die.locked = true;
  ++locked_dies_;
}

void FlashScheduler::unlock_die(ChannelId channel, std::uint32_t index, Tick now) {
  DieState& die = die_state(channel, index);
  die.locked = false;
  --locked_dies_;
  changed(die, now);
}

void FlashScheduler::places_changed(FlashPlane plane, Tick now) {
  DieState& die = die_of(plane);
  die.queues.places_changed(plane_in_die(plane));
  changed(die, now);
}

void FlashScheduler::set_collection_urgent(FlashPlane plane, bool urgent) {
  die_of(plane).queues.set_collection_urgent(plane_in_die(plane), urgent);
}

// --- which dies could take a command

void FlashScheduler::changed(DieState& die, Tick now) {
  update_ready(die);
  dispatch(die.channel, now);
}

void FlashScheduler::update_ready(DieState& die) {
  const Tick now = calendar_.now();
  ChannelState& channel = channel_of(die);
  channel.ready.set(die.index, die.could_start(now));
  die.taken.set(die.occupied(), now);
  if (cache_reads()) channel.cacheable.set(die.index, die.could_cache_read());
  if (rules_.min_run == 0 || die.run_timer || die.queues.host_read() == nullptr || !die.programs_or_erases()) return;
  if (const Tick over = die.running_since + rules_.min_run; now < over) {
    die.run_timer = true;
    calendar_.schedule<&FlashScheduler::look_again>(over, *this, die);
  }
}

// --- sending

void FlashScheduler::send_held(Tick now) {
  holding_ = false;
  for (std::uint32_t channel = 0; channel < channels_.size(); ++channel) {
    if (std::exchange(channels_[channel].held, false)) dispatch(ChannelId(channel), now);
  }
}

void FlashScheduler::send_all(ChannelId id, Tick now) {
  ChannelState& channel = channels_[id.value];
  channel.held |= holding_;
  if (holding_) return;
  if (channel.dispatching) return;
  channel.dispatching = true;
  while (!channel.requesting) {
    // Cache reads need no bus time of their own.
    if (cache_reads()) {
      if (const std::uint32_t die = channel.cacheable.next(channel.last_served); die != DieSet::none) {
        send_cache_read(die_state(id, die));
        continue;
      }
    }
    if (channel.responding) break;
    if (channel.sending != nullptr) {
      send_next(*channel.sending);
      continue;
    }
    const std::uint32_t die = channel.ready.next(channel.last_served);
    if (die == DieSet::none) break;
    if (serve(die_state(id, die), now)) channel.last_served = die;
  }
  channel.dispatching = false;
}

bool FlashScheduler::serve(DieState& die, Tick now) {
  if (die.decides_to_suspend(calendar_.now())) return send_control(die, NandOperation::suspend);
  if (die.locked) {
    if (start_locked(die, now)) return true;
    update_ready(die);
    return false;
  }
  if (die.activity != Activity::idle && !die.could_cache_program(calendar_.now())) return pass_over(die);
  if (die.copyback != nullptr && start_copyback_program(die, now)) return true;
  if (start(die, now)) return true;
  if (die.suspended == Activity::idle) return false;
  die.reads_declined = die.queues.host_read() != nullptr;
  return send_control(die, NandOperation::resume);
}

bool FlashScheduler::pass_over(DieState& die) {
  channel_of(die).ready.set(die.index, false);
  return false;
}

bool FlashScheduler::start(DieState& die, Tick now) {
  if (separates_classes_) die.queues.order_classes(now);
  while (const std::optional<QueueKind> kind = die.decide(now)) {
    switch (die.queues.gather(*kind, die.group, now)) {
      case DieQueues::Gathered::nothing: continue;
      case DieQueues::Gathered::die_lock: {
        FlashOp& first = *die.group.front();
        die.group.clear();
        lock(die);
        first.die_locked(now);
        if (start_locked(die, now)) return true;
        update_ready(die);
        return false;
      }
      case DieQueues::Gathered::grouped:
        if (grouping_->locks_die()) {
          lock(die);
          for (FlashOp* read : die.group) read->locks_die = true;
        }
        die.group.front()->gathered(die.group, now);
        break;
      case DieQueues::Gathered::reads:
      case DieQueues::Gathered::writes:
      case DieQueues::Gathered::erases: break;
    }
    send_group(die);
    return true;
  }
  return pass_over(die);
}

bool FlashScheduler::start_locked(DieState& die, Tick now) {
  while (die.could_start_locked()) {
    FlashOp& next = die.under_lock.pop();
    if (next.command.operation == NandOperation::read) {
      next.command.cache = false;
      die.group.push_back(&next);
      // Grouped reads are enqueued operation by operation.
      while (next.command.single_operation && !die.under_lock.empty()) die.group.push_back(&die.under_lock.pop());
      send_group(die);
      return true;
    }
    if (next.command.operation != NandOperation::reset || die.activity != Activity::idle) {
      send_at_once(die, next.command);
      return true;
    }
    next.array_done(now);
  }
  return false;
}

bool FlashScheduler::start_copyback_program(DieState& die, Tick now) {
  FlashOp& copy = *std::exchange(die.copyback, nullptr);
  const Placement placement = copy.place(now);
  if (placement == Placement::withdraw) {
    if (keeps_account_) die.policy->withdrawn(copy);
    copy.withdrawn(now);
    return false;
  }
  if (placement == Placement::wait) {
    die.queues.push_again_unplaced(copy);
    return false;
  }
  copy.command.operation = NandOperation::copyback_program;
  copy.command.retry_step = 0;
  ++counters_.copybacks;
  die.group.push_back(&copy);
  send_group(die);
  return true;
}

void FlashScheduler::send_group(DieState& die) {
  for (std::size_t k = 0; k < die.group.size(); ++k) die.group[k]->command.more_planes = k + 1 < die.group.size();
  const NandCommand& first = die.group.front()->command;
  ++counters_.operations;
  if (first.single_operation) {
    count_single_operation(die.group);
  } else {
    counters_.planes += die.group.size();
    counters_.multi_plane_operations += die.group.size() > 1;
  }
  const bool behind = die.activity == Activity::programming;
  if (behind) counters_.cache_programs += die.group.size();
  if (keeps_account_ || rules_.cache_program) {
    const DieCandidates left = die.candidates();
    // The command must tell the die in advance that another page follows.
    const bool more = rules_.cache_program && first.operation == NandOperation::program &&
                      (left[QueueKind::host_write] != nullptr || left[QueueKind::background_write] != nullptr);
    for (FlashOp* op : die.group) {
      if (rules_.cache_program && op->command.operation == NandOperation::program) op->command.cache = more;
      // The second half of a copyback was counted as started with the first.
      if (die.counts(*op) && op->command.operation != NandOperation::copyback_program) {
        op->started = calendar_.now();
        die.policy->started(*op, left, calendar_.now());
      }
    }
  }
  if (!behind) die.activity = Activity::requesting;
  die.sent = 0;
  update_ready(die);
  send_next(die);
}

void FlashScheduler::count_single_operation(const std::vector<FlashOp*>& group) {
  std::uint32_t planes = 0;
  for (auto read = group.begin(); read != group.end(); ++read) {
    planes += std::none_of(group.begin(), read, [&](const FlashOp* other) { return other->plane == (*read)->plane; });
    counters_.subpages += static_cast<std::uint64_t>(std::popcount((*read)->command.subpages));
  }
  counters_.planes += planes;
  counters_.multi_plane_operations += planes > 1;
  ++counters_.multi_location_operations;
  counters_.locations += group.size();
}

void FlashScheduler::send_next(DieState& die) {
  ChannelState& channel = channel_of(die);
  FlashOp& op = *die.group[die.sent++];
  NandCommand& command = op.command;
  command.background = is_background(op.queue);
  channel.sending = command.more_planes ? &die : nullptr;
  channel.requesting = true;
  port_.begin_request(die.channel, command);
}

bool FlashScheduler::send_control(DieState& die, NandOperation operation) {
  NandCommand& command = operation == NandOperation::suspend ? die.suspend : die.resume;
  command.operation = operation;
  command.die = die.index;
  send_at_once(die, command);
  return true;
}

void FlashScheduler::send_at_once(DieState& die, NandCommand& command) {
  die.control_in_flight = true;
  update_ready(die);
  channel_of(die).requesting = true;
  port_.begin_request(die.channel, command);
}

void FlashScheduler::send_cache_read(DieState& die) {
  const Tick now = calendar_.now();
  if (separates_classes_) die.queues.order_classes(now);
  // Another read may be at the front now.
  if (!die.could_cache_read() || (!die.locked && die.decide(now) != QueueKind::host_read)) {
    return channel_of(die).cacheable.set(die.index, false);
  }
  FlashOp& read = die.locked ? die.under_lock.pop() : die.queues.pop_host_read();
  read.command.more_planes = false;
  read.command.single_operation = false;
  read.command.cache = true;
  die.cache_read = &read;
  ++counters_.operations;
  ++counters_.planes;
  if (die.counts(read)) {
    read.started = now;
    die.policy->started(read, die.candidates(), now);
  }
  update_ready(die);
  port_.begin_request(die.channel, read.command);  // accepted at once
}

// --- phases from the channels

void FlashScheduler::request_ended(ChannelId channel, NandCommand& command, Tick now) {
  channels_[channel.value].requesting = false;
  if (!command.more_planes) operation_sent(die_state(channel, command.die), command, now);
  dispatch(channel, now);
}

void FlashScheduler::operation_sent(DieState& die, const NandCommand& last, Tick now) {
  const auto size = static_cast<std::uint32_t>(die.group.size());
  const FlashOp* first = die.group.front();
  die.group.clear();
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
      case NandOperation::copyback_program:
      case NandOperation::adjust_voltage: die.activity = Activity::programming; break;
      default: die.activity = Activity::erasing; break;
    }
    if (die.programs_or_erases()) {
      die.under_way = first;
      const bool cacheable = last.operation == NandOperation::program && last.cache;
      program_begins(die, cacheable, now + last.response_time);
    }
  }
  update_ready(die);
}

void FlashScheduler::program_begins(DieState& die, bool cacheable, Tick cache_free) {
  die.suspends = 0;
  die.running_since = calendar_.now();
  die.cacheable_program = cacheable;
  if (!cacheable) return;
  die.cache_free = cache_free;
  calendar_.schedule<&FlashScheduler::look_again>(cache_free, *this, die);
}

void FlashScheduler::response_begins(ChannelId channel, NandCommand& command, Tick now) {
  if (command.status == NandStatus::aborted) return;  // the end of the reset ends it
  DieState& die = die_state(channel, command.die);
  if (answered_at_once(command.operation)) {
    channels_[channel.value].requesting = false;
    control_ended(die, command, now);
    dispatch(channel, now);
    return;
  }
  channels_[channel.value].responding = true;
  die.responding = true;
  if (cache_reads()) update_ready(die);
  calendar_.schedule<&FlashScheduler::response_ended>(now + command.response_time, *this, op_of(command));
}

void FlashScheduler::control_ended(DieState& die, NandCommand& command, Tick now) {
  const Tick end = now + command.response_time;
  if (command.operation == NandOperation::set_feature || command.operation == NandOperation::reset) {
    calendar_.schedule<&FlashScheduler::locked_command_ended>(end, *this, op_of(command));
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
    calendar_.schedule<&FlashScheduler::suspend_ended>(end, *this, die);
  } else {
    die.responding = true;  // the operation ended before the suspend reached it
  }
  update_ready(die);
}

void FlashScheduler::locked_command_ended(FlashOp& op) {
  DieState& die = die_of(op);
  die.control_in_flight = false;
  if (op.command.operation == NandOperation::reset) {
    ++counters_.resets;
    die.activity = Activity::idle;
    die.unfinished = 0;
    die.cache_read = nullptr;
  }
  update_ready(die);
  op.array_done(calendar_.now());
  dispatch(die.channel, calendar_.now());
}

void FlashScheduler::suspend_ended(DieState& die) {
  die.activity = Activity::idle;
  changed(die, calendar_.now());
}

// A time that the die waited for has come.
void FlashScheduler::look_again(DieState& die) {
  die.run_timer = false;
  changed(die, calendar_.now());
}

void FlashScheduler::response_ended(FlashOp& op) {
  const Tick now = calendar_.now();
  DieState& die = die_of(op);
  const bool counts = die.counts(op);  // read now: the next dispatch may lock the die
  const bool over = --die.unfinished == 0;
  const bool another_waits = die.cache_read != nullptr || die.cached != 0;  // within the die
  const bool half_copied = op.command.operation == NandOperation::copyback_read;
  die.telling = true;
  if (over && !another_waits && !half_copied) {
    // The next program may already be on the bus to a cache register.
    die.activity = die.group.empty() ? Activity::idle : Activity::requesting;
    die.responding = false;
    update_ready(die);
  }
  channel_of(die).responding = false;
  // A command that can be sent gets the bus before the next response, which the channel admits at END_RESP.
  dispatch(die.channel, now);
  port_.end_response(die.channel, op.command);
  if (over && another_waits) {
    die.responding = false;
    if (die.cache_read != nullptr) {
      die.cache_read = nullptr;
      die.unfinished = 1;
    } else {
      // The cached program began when the array became free. The cache register became free tPCBSY after that, at the
      // latest tPCBSY from now.
      die.unfinished = std::exchange(die.cached, 0);
      die.under_way = die.cached_first;
      program_begins(die, die.cached_last->cache, now + die.cached_last->response_time);
    }
    update_ready(die);
  }
  die.telling = false;
  if (half_copied) {
    die.activity = Activity::idle;
    die.responding = false;
    die.copyback = &op;
    update_ready(die);
  } else {
    if (counts) die.policy->ended(op, now);
    op.locks_die = false;
    op.array_done(now);
    if (die.locked) update_ready(die);
  }
  dispatch(die.channel, now);
}

}  // namespace nandscape::controller
