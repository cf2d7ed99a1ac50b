// SPDX-License-Identifier: Apache-2.0
#include "controller/scheduler/flash_scheduler.h"

#include <bit>
#include <string>
#include <utility>

#include "core/error.h"

namespace nandscape {

namespace {

// How far into a queue of reads to look for one on another plane.
constexpr int multi_plane_search = 32;

QueueKind queue_of(Purpose purpose) {
  switch (purpose) {
    case Purpose::host_read:
    case Purpose::merge_read: return QueueKind::host_read;
    case Purpose::host_write: return QueueKind::host_write;
    case Purpose::gc_read: return QueueKind::gc_read;
    case Purpose::gc_write: return QueueKind::gc_write;
    case Purpose::gc_erase: break;
  }
  return QueueKind::gc_erase;
}

FlashTransaction& transaction_of(const NandCommand& command) { return *static_cast<FlashTransaction*>(command.owner); }

}  // namespace

FlashScheduler::FlashScheduler(const SchedulerParameters& parameters, const Geometry& geometry, Calendar& calendar,
                               Port& port, Client& client)
    : geometry_(geometry),
      parameters_(parameters),
      policy_(scheduling_registry().make(parameters.policy)),
      calendar_(calendar),
      port_(port),
      client_(client),
      dies_(geometry.dies()),
      channels_(geometry.channels) {
  for (DieState& die : dies_) die.planes.resize(geometry.planes_per_die);
  for (ChannelState& channel : channels_) {
    channel.ready.resize((geometry.dies_per_channel() + 63) / 64);
    channel.cacheable.resize(channel.ready.size());
  }
}

void FlashScheduler::enqueue(FlashTransaction& transaction, Tick now) {
  transaction.sequence = sequence_++;
  transaction.command.owner = &transaction;
  const ChannelId channel = transaction.channel;
  DieState& die = die_state(channel, transaction.command.die);
  PlaneQueues& plane = die.planes[transaction.command.plane];
  switch (queue_of(transaction.purpose)) {
    case QueueKind::host_read: die.host_reads.push(transaction); break;
    case QueueKind::host_write: plane.host_writes.push(transaction); break;
    case QueueKind::gc_read: die.gc_reads.push(transaction); break;
    case QueueKind::gc_write: plane.gc_writes.push(transaction); break;
    case QueueKind::gc_erase: plane.erases.push(transaction); break;
  }
  update_ready(channel, transaction.command.die);
  dispatch(channel, now);
}

void FlashScheduler::places_changed(PlaneId plane, Tick now) {
  const DieId id = geometry_.die_of(plane);
  const ChannelId channel = geometry_.channel_of(id);
  dies_[id.value].planes[plane.value % geometry_.planes_per_die].blocked = false;
  update_ready(channel, id.value % geometry_.dies_per_channel());
  dispatch(channel, now);
}

void FlashScheduler::set_collection_urgent(PlaneId plane, bool urgent) {
  dies_[geometry_.die_of(plane).value].planes[plane.value % geometry_.planes_per_die].urgent = urgent;
}

// --- which dies could take a command
// -----------------------------------------------------------------------------------

DieCandidates FlashScheduler::candidates(const DieState& die) const {
  DieCandidates result;
  const auto offer = [&](QueueKind kind, const FlashTransaction* front) {
    const FlashTransaction*& oldest = result.oldest[static_cast<std::size_t>(kind)];
    if (front != nullptr && (oldest == nullptr || front->sequence < oldest->sequence)) oldest = front;
  };
  offer(QueueKind::host_read, die.host_reads.front());
  // A suspended die takes reads of the host only.
  if (die.suspended != Activity::idle) return result;
  offer(QueueKind::gc_read, die.gc_reads.front());
  for (const PlaneQueues& plane : die.planes) {
    if (!plane.blocked) offer(QueueKind::host_write, plane.host_writes.front());
    offer(QueueKind::gc_write, plane.gc_writes.front());
    offer(QueueKind::gc_erase, plane.erases.front());
    result.collection_urgent |= plane.urgent;
  }
  return result;
}

bool FlashScheduler::wants_suspend(const DieState& die) const {
  if (die.host_reads.empty() || die.suspended != Activity::idle || die.control_in_flight || die.responding)
    return false;
  switch (parameters_.suspend) {
    case Suspend::none: return false;
    case Suspend::program: return die.activity == Activity::programming;
    case Suspend::erase: return die.activity == Activity::erasing;
    case Suspend::program_erase: return die.activity == Activity::programming || die.activity == Activity::erasing;
  }
  return false;
}

bool FlashScheduler::could_start(const DieState& die) const {
  if (die.control_in_flight) return false;
  if (die.activity != Activity::idle) return wants_suspend(die);
  if (!die.host_reads.empty() || die.suspended != Activity::idle || !die.gc_reads.empty()) return true;
  for (const PlaneQueues& plane : die.planes) {
    if ((!plane.host_writes.empty() && !plane.blocked) || !plane.gc_writes.empty() || !plane.erases.empty())
      return true;
  }
  return false;
}

void FlashScheduler::update_ready(ChannelId channel, std::uint32_t index) {
  const DieState& die = die_state(channel, index);
  const auto set = [index](std::vector<std::uint64_t>& bits, bool value) {
    const std::uint64_t bit = std::uint64_t{1} << (index % 64);
    if (value) {
      bits[index / 64] |= bit;
    } else {
      bits[index / 64] &= ~bit;
    }
  };
  set(channels_[channel.value].ready, could_start(die));
  if (parameters_.cache_read) {
    set(channels_[channel.value].cacheable,
        die.activity == Activity::reading && !die.responding && die.cache_read == nullptr && !die.host_reads.empty());
  }
}

std::uint32_t FlashScheduler::next_set(const std::vector<std::uint64_t>& bits, std::uint32_t after) {
  const std::uint32_t words = static_cast<std::uint32_t>(bits.size());
  const std::uint32_t start = (after + 1) % (words * 64);
  // The first word is looked at twice: from the start on, and, last, from its beginning.
  for (std::uint32_t k = 0; k <= words; ++k) {
    const std::uint32_t index = (start / 64 + k) % words;
    std::uint64_t word = bits[index];
    if (k == 0) word &= ~std::uint64_t{0} << (start % 64);
    if (word != 0) return index * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
  }
  return none;
}

// --- sending
// -----------------------------------------------------------------------------------------------------------

void FlashScheduler::dispatch(ChannelId channel, Tick now) {
  ChannelState& state = channels_[channel.value];
  if (state.dispatching) return;
  state.dispatching = true;
  while (!state.requesting) {
    // Cache reads need no bus time of their own.
    if (parameters_.cache_read) {
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
  while (const std::optional<QueueKind> kind = policy_->choose(candidates(die))) {
    if (!gather(die, *kind, now)) continue;
    for (std::size_t k = 0; k < die.group.size(); ++k) die.group[k]->command.more_planes = k + 1 < die.group.size();
    die.activity = Activity::requesting;
    die.sent = 0;
    update_ready(channel, index);
    send_next(channel, index);
    return;
  }
  if (die.suspended != Activity::idle) {
    send_control(channel, index, NandOperation::resume);
  } else {
    update_ready(channel, index);
  }
}

bool FlashScheduler::gather(DieState& die, QueueKind kind, Tick now) {
  switch (kind) {
    case QueueKind::host_read: gather_reads(die, die.host_reads); return true;
    case QueueKind::gc_read: gather_reads(die, die.gc_reads); return true;
    case QueueKind::host_write: return gather_writes(die, &PlaneQueues::host_writes, now);
    case QueueKind::gc_write: return gather_writes(die, &PlaneQueues::gc_writes, now);
    case QueueKind::gc_erase: gather_erases(die); return true;
  }
  return false;
}

void FlashScheduler::gather_reads(DieState& die, TransactionQueue& queue) {
  FlashTransaction& first = queue.pop();
  die.group.push_back(&first);
  if (!parameters_.multi_plane || die.planes.size() == 1) return;
  FlashTransaction* before = nullptr;
  int looked_at = 0;
  for (FlashTransaction* other = queue.front(); other != nullptr && looked_at < multi_plane_search; ++looked_at) {
    FlashTransaction* const next = other->next;
    bool joins = other->command.page == first.command.page;
    for (const FlashTransaction* member : die.group) joins = joins && member->plane != other->plane;
    if (joins) {
      queue.remove_after(before);
      die.group.push_back(other);
      if (die.group.size() == die.planes.size()) return;
    } else {
      before = other;
    }
    other = next;
  }
}

bool FlashScheduler::gather_writes(DieState& die, TransactionQueue PlaneQueues::*queue, Tick now) {
  const bool of_host = queue == &PlaneQueues::host_writes;
  PlaneQueues* first = nullptr;
  for (PlaneQueues& plane : die.planes) {
    const FlashTransaction* front = (plane.*queue).front();
    if (front == nullptr || (of_host && plane.blocked)) continue;
    if (first == nullptr || front->sequence < (first->*queue).front()->sequence) first = &plane;
  }
  if (!client_.place(*(first->*queue).front(), now)) {
    first->blocked = true;
    return false;
  }
  die.group.push_back(&(first->*queue).pop());
  if (!parameters_.multi_plane) return true;
  const std::uint32_t page = die.group.front()->command.page;
  for (PlaneQueues& plane : die.planes) {
    FlashTransaction* other = (plane.*queue).front();
    if (&plane == first || other == nullptr || (of_host && plane.blocked)) continue;
    if (client_.next_page(*other) != page) continue;
    if (client_.place(*other, now)) die.group.push_back(&(plane.*queue).pop());
  }
  return true;
}

void FlashScheduler::gather_erases(DieState& die) {
  for (PlaneQueues& plane : die.planes) {
    if (plane.erases.empty()) continue;
    die.group.push_back(&plane.erases.pop());
    if (!parameters_.multi_plane) return;
  }
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
  die.control_in_flight = true;
  update_ready(channel, index);
  channels_[channel.value].requesting = true;
  port_.begin_request(channel, command);
}

void FlashScheduler::send_cache_read(ChannelId channel, std::uint32_t index) {
  DieState& die = die_state(channel, index);
  FlashTransaction& read = die.host_reads.pop();
  read.command.more_planes = false;
  read.command.cache = true;
  die.cache_read = &read;
  update_ready(channel, index);
  port_.begin_request(channel, read.command);  // accepted at once
}

// --- phases that come back
// ---------------------------------------------------------------------------------------------

void FlashScheduler::request_ended(ChannelId channel, NandCommand& command, Tick now) {
  ChannelState& state = channels_[channel.value];
  state.requesting = false;
  if (!command.more_planes) {
    DieState& die = die_state(channel, command.die);
    switch (command.operation) {
      case NandOperation::read: die.activity = Activity::reading; break;
      case NandOperation::program: die.activity = Activity::programming; break;
      default: die.activity = Activity::erasing; break;
    }
    die.unfinished = static_cast<std::uint32_t>(die.group.size());
    die.group.clear();
    update_ready(channel, command.die);
  }
  dispatch(channel, now);
}

void FlashScheduler::response_begins(ChannelId channel, NandCommand& command, Tick now) {
  ChannelState& state = channels_[channel.value];
  if (command.operation == NandOperation::suspend || command.operation == NandOperation::resume) {
    state.requesting = false;
    control_ended(channel, command, now);
    dispatch(channel, now);
    return;
  }
  if (command.status != NandStatus::pass) {
    throw Error("channel " + std::to_string(channel.value) + ": " + to_string(command) +
                " failed, and the controller cannot yet put another block in the place of a bad one");
  }
  state.responding = true;
  DieState& die = die_state(channel, command.die);
  die.responding = true;
  if (parameters_.cache_read) update_ready(channel, command.die);
  calendar_.schedule<&FlashScheduler::response_ended>(now + command.response_time, *this,
                                                      reinterpret_cast<std::uint64_t>(&transaction_of(command)));
}

void FlashScheduler::control_ended(ChannelId channel, const NandCommand& command, Tick now) {
  DieState& die = die_state(channel, command.die);
  die.control_in_flight = false;
  if (command.operation == NandOperation::resume) {
    die.activity = std::exchange(die.suspended, Activity::idle);
    die.unfinished = die.suspended_unfinished;
  } else if (command.status == NandStatus::pass) {
    die.suspended = std::exchange(die.activity, Activity::suspending);
    die.suspended_unfinished = die.unfinished;
    const std::uint32_t index = channel.value * geometry_.dies_per_channel() + command.die;
    calendar_.schedule<&FlashScheduler::suspend_ended>(now + command.response_time, *this, index);
  } else {
    die.responding = true;  // it ended before the suspend could reach it
  }
  update_ready(channel, command.die);
}

void FlashScheduler::suspend_ended(std::uint64_t index) {
  const DieId id(static_cast<std::uint32_t>(index));
  const ChannelId channel = geometry_.channel_of(id);
  dies_[index].activity = Activity::idle;
  update_ready(channel, id.value % geometry_.dies_per_channel());
  dispatch(channel, calendar_.now());
}

void FlashScheduler::response_ended(std::uint64_t argument) {
  const Tick now = calendar_.now();
  FlashTransaction& transaction = *reinterpret_cast<FlashTransaction*>(argument);
  const ChannelId channel = transaction.channel;
  const std::uint32_t index = transaction.command.die;
  DieState& die = die_state(channel, index);
  const bool over = --die.unfinished == 0;
  if (over && die.cache_read == nullptr) {
    die.activity = Activity::idle;
    die.responding = false;
    update_ready(channel, index);
  }
  channels_[channel.value].responding = false;
  // A command that can go has the bus before the next response, which the channel lets in at END_RESP.
  dispatch(channel, now);
  port_.end_response(channel, transaction.command);
  if (over && die.cache_read != nullptr) {
    die.cache_read = nullptr;
    die.unfinished = 1;
    die.responding = false;
    update_ready(channel, index);
  }
  client_.done(transaction, now);
  dispatch(channel, now);
}

}  // namespace nandscape
