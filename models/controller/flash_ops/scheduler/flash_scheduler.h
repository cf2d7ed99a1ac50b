// SPDX-License-Identifier: Apache-2.0
// Brings flash commands to the dies: a queue of each kind per die, one command at a time on each channel's bus, as many
// dies at work as there are. It follows the phases of protocol/nand_command.h and decides as late as they allow: which
// command goes is chosen when the bus is free for it.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <vector>

#include "controller/flash_ops/flash_op.h"
#include "controller/flash_ops/scheduler/die_set.h"
#include "controller/flash_ops/scheduler/die_state.h"
#include "controller/flash_ops/scheduler/parameters.h"
#include "controller/flash_ops/scheduler/read_grouping.h"
#include "controller/flash_ops/scheduler/scheduling_policy.h"
#include "core/calendar.h"
#include "core/statistics.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

struct SchedulerCounters {
  std::uint64_t suspends = 0;
  std::uint64_t operations = 0;
  std::uint64_t planes = 0;
  std::uint64_t multi_plane_operations = 0;
  std::uint64_t multi_location_operations = 0;
  std::uint64_t locations = 0;
  std::uint64_t subpages = 0;
  std::uint64_t cache_programs = 0;
  std::uint64_t copybacks = 0;
  std::uint64_t resets = 0;
  std::uint64_t starvation_interventions = 0;
};
void describe(const SchedulerCounters& counters, StatisticsVisitor& visitor);

class FlashScheduler {
 public:
  // The channels.
  class Port {
   public:
    // BEGIN_REQ. A cache read is accepted before the call returns.
    virtual void begin_request(ChannelId channel, NandCommand& command) = 0;
    // END_RESP.
    virtual void end_response(ChannelId channel, NandCommand& command) = 0;

   protected:
    ~Port() = default;
  };

  // `grouping` is null where each read goes by itself.
  FlashScheduler(const SchedulerParameters& parameters, const Geometry& geometry, const ReadGrouping* grouping,
                 Calendar& calendar, Port& port);

  void enqueue(FlashOp& op, Tick now);
  // What is enqueued from now on goes together: nothing is sent until all of it is there.
  void hold() { holding_ = true; }
  void send_held(Tick now);
  // A read that goes to its die once more, before all that came later: new reads that go with retries can keep no older
  // one waiting for ever.
  void enqueue_again(FlashOp& read, Tick now);
  // A write that others of its plane wait for, and that has its place: it goes before all of its kind.
  void enqueue_first(FlashOp& write, Tick now);
  // Whether the reads may go together, as one operation.
  bool groups(const FlashOp& one, const FlashOp& other) const {
    return grouping_ != nullptr && grouping_->takes(one) && grouping_->takes(other) && grouping_->fit(one, other);
  }

  // What goes to a locked die, in this order: reads, which go as cache reads behind the one that is sensed if they come
  // early enough, features, and a reset, which is passed over when there is nothing to be aborted.
  void enqueue_locked(FlashOp& op, Tick now);
  // Reads that go to their locked die together, as one operation.
  void enqueue_operation(std::span<FlashOp* const> group, Tick now);
  // Takes back an op that was enqueued under the lock and has not been sent; null when there is none.
  FlashOp* withdraw_locked(ChannelId channel, std::uint32_t die);
  // All that was enqueued under the lock is done.
  void unlock_die(ChannelId channel, std::uint32_t die, Tick now);
  // A program or an erase is suspended there: a reset would abort it.
  bool holds_suspended(ChannelId channel, std::uint32_t die) {
    return die_state(channel, die).suspended != Activity::idle;
  }

  // The plane may have got free pages: writes that had no place are tried again.
  void places_changed(FlashPlane plane, Tick now);
  // The host cannot write to this plane until collection has made a free block.
  void set_collection_urgent(FlashPlane plane, bool urgent);
  // The supply has failed: from now on writes go before all else, whatever the policy.
  void save() { rules_.saves = true; }

  // Phases that come back from a channel.
  void request_ended(ChannelId channel, NandCommand& command, Tick now);
  void response_begins(ChannelId channel, NandCommand& command, Tick now);

  SchedulerCounters counters() const;
  // For how long each die was occupied until now: from the first cycle of a command until its last byte or its status
  // has moved out, whether its array works or not.
  std::vector<Tick> occupied_dies() const;

  // Says of each die what is in its queues, if anything is.
  void list_waiting(std::ostream& out) const;

  // While there is nothing to do.
  void persist(Archive& archive);
  void persist_counters(Archive& archive);

 private:
  using Activity = DieState::Activity;

  struct ChannelState {
    explicit ChannelState(std::uint32_t dies) : ready(dies), cacheable(dies) {}

    bool requesting = false;
    bool responding = false;
    bool dispatching = false;  // guards against starting a second choice in the middle of one
    bool held = false;         // something might be sent once all of what goes together is there
    std::uint32_t last_served = 0;
    DieState* sending = nullptr;  // with planes left to send
    DieSet ready;                 // dies that could take a command
    DieSet cacheable;             // dies that could take a cache read behind their read
  };

  bool cache_reads() const { return rules_.cache_read || locked_dies_ != 0; }
  ChannelState& channel_of(const DieState& die) { return channels_[die.channel.value]; }
  DieState& die_state(ChannelId channel, std::uint32_t die) {
    return dies_[channel.value * geometry_.dies_per_channel() + die];
  }
  DieState& die_of(const FlashOp& op) { return die_state(op.channel, op.command.die); }
  DieState& die_of(FlashPlane plane) { return dies_[geometry_.die_of(plane).value]; }
  std::uint32_t plane_in_die(FlashPlane plane) const { return plane.value % geometry_.planes_per_die; }

  // The die has changed: notes what it could take now, and sends what can go.
  void changed(DieState& die, Tick now);
  void update_ready(DieState& die);
  // Sends what the channel can take.
  void dispatch(ChannelId id, Tick now) {
    const ChannelState& channel = channels_[id.value];
    const bool taken = channel.dispatching || channel.requesting || (channel.responding && !cache_reads());
    if (!taken || holding_) send_all(id, now);
  }
  void send_all(ChannelId channel, Tick now);
  // Sends the die what the policy decides; false when nothing goes.
  bool serve(DieState& die, Tick now);
  // The die takes nothing as things are: it is looked at again when it has changed.
  bool pass_over(DieState& die);

  // Each takes the next operation of its sort and starts to send it; false when there is none.
  bool start(DieState& die, Tick now);
  bool start_locked(DieState& die, Tick now);
  bool start_copyback_program(DieState& die, Tick now);
  void lock(DieState& die);

  void send_group(DieState& die);
  void count_single_operation(const std::vector<FlashOp*>& group);
  void send_next(DieState& die);
  bool send_control(DieState& die, NandOperation operation);
  void send_at_once(DieState& die, NandCommand& command);
  void send_cache_read(DieState& die);

  void operation_sent(DieState& die, const NandCommand& last, Tick now);
  void program_begins(DieState& die, bool cacheable, Tick cache_free);
  void control_ended(DieState& die, NandCommand& command, Tick now);
  void locked_command_ended(FlashOp& op);
  void suspend_ended(DieState& die);
  void look_again(DieState& die);
  void response_ended(FlashOp& op);

  const Geometry geometry_;
  const SchedulerParameters parameters_;
  OverlapRules rules_;
  const ReadGrouping* const grouping_;
  std::vector<std::unique_ptr<SchedulingPolicy>> policies_;  // of all dies, or one for each that keeps account
  const bool keeps_account_;
  const bool separates_classes_;
  Calendar& calendar_;
  Port& port_;
  std::vector<DieState> dies_;
  std::vector<ChannelState> channels_;
  std::uint32_t locked_dies_ = 0;
  bool holding_ = false;
  std::uint64_t sequence_ = 0;
  SchedulerCounters counters_;
};

}  // namespace nandscape::controller
