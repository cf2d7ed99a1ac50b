// SPDX-License-Identifier: Apache-2.0
// Sends flash commands to the dies: one queue of each kind per die, one command at a time on the bus of each channel,
// all dies in parallel. It follows the phases of protocol/nand_command.h and decides as late as they allow: the next
// command is chosen when the bus is free for it.
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
#include "core/component.h"
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

class FlashScheduler final : public Component {
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

  // `grouping` is null if reads are not grouped.
  FlashScheduler(const SchedulerParameters& parameters, const Geometry& geometry, const ReadGrouping* grouping,
                 Calendar& calendar, Port& port);

  void enqueue(FlashOp& op, Tick now);
  // Between hold() and send_held() no op is sent, so that all ops enqueued meanwhile can be sent together.
  void hold() { holding_ = true; }
  void send_held(Tick now);
  // Enqueues a read that is sent again, before all that came later. Otherwise new reads that join retries could delay
  // older reads for ever.
  void enqueue_again(FlashOp& read, Tick now);
  // Enqueues a write that already has its place, and that other writes of its plane wait for. It goes before all of its
  // kind.
  void enqueue_first(FlashOp& write, Tick now);
  // Whether both reads may be part of one operation.
  bool groups(const FlashOp& one, const FlashOp& other) const {
    return grouping_ != nullptr && grouping_->takes(one) && grouping_->takes(other) && grouping_->fit(one, other);
  }

  // Enqueues ops for a locked die, in the order in which they are sent: reads, features and resets. A read that comes
  // early enough is sent as a cache read behind the current one. A reset ends at once if there is nothing to abort.
  void enqueue_locked(FlashOp& op, Tick now);
  // Enqueues reads that are sent to their locked die as one operation.
  void enqueue_operation(std::span<FlashOp* const> group, Tick now);
  // Removes the next op that was enqueued under the lock and has not been sent. Returns null if there is none.
  FlashOp* withdraw_locked(ChannelId channel, std::uint32_t die);
  // Unlocks the die. All ops enqueued under the lock must have ended.
  void unlock_die(ChannelId channel, std::uint32_t die, Tick now);
  // Whether a program or an erase is suspended on the die: a reset would abort it.
  bool holds_suspended(ChannelId channel, std::uint32_t die) {
    return die_state(channel, die).suspended != Activity::idle;
  }

  // The plane may have gained free pages: writes that had no place are tried again.
  void places_changed(FlashPlane plane, Tick now);
  // Whether the host must wait to write to this plane until collection has freed a block.
  void set_collection_urgent(FlashPlane plane, bool urgent);
  // The supply has failed: from now on writes go before everything else, whatever the policy.
  void save() { rules_.saves = true; }

  // Phases from a channel.
  void request_ended(ChannelId channel, NandCommand& command, Tick now);
  void response_begins(ChannelId channel, NandCommand& command, Tick now);

  SchedulerCounters counters() const;
  // How long each die has been occupied until now: from the first cycle of a command until its last byte or its status
  // has been transferred, whether its array is busy or not.
  std::vector<Tick> occupied_dies() const;

  // Prints the state of each die that is busy or has waiting ops.
  void list_waiting(std::ostream& out) const override;

  // The scheduler must be idle.
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override;

 private:
  using Activity = DieState::Activity;

  struct ChannelState {
    explicit ChannelState(std::uint32_t dies) : ready(dies), cacheable(dies) {}

    bool requesting = false;
    bool responding = false;
    bool dispatching = false;  // guards send_all against recursion
    bool held = false;         // send_held() has to dispatch this channel
    std::uint32_t last_served = 0;
    DieState* sending = nullptr;  // the die with planes left to send, or null
    DieSet ready;                 // dies that could take a command
    DieSet cacheable;             // dies that could take a cache read behind their current read
  };

  bool cache_reads() const { return rules_.cache_read || locked_dies_ != 0; }
  ChannelState& channel_of(const DieState& die) { return channels_[die.channel.value]; }
  DieState& die_state(ChannelId channel, std::uint32_t die) {
    return dies_[channel.value * geometry_.dies_per_channel() + die];
  }
  DieState& die_of(const FlashOp& op) { return die_state(op.channel, op.command.die); }
  DieState& die_of(FlashPlane plane) { return dies_[geometry_.die_of(plane).value]; }
  std::uint32_t plane_in_die(FlashPlane plane) const { return plane.value % geometry_.planes_per_die; }

  // The die has changed: updates the commands it could take, and sends those that can be sent.
  void changed(DieState& die, Tick now);
  void update_ready(DieState& die);
  // Sends all commands that the channel can take.
  void dispatch(ChannelId id, Tick now) {
    const ChannelState& channel = channels_[id.value];
    const bool taken = channel.dispatching || channel.requesting || (channel.responding && !cache_reads());
    if (!taken || holding_) send_all(id, now);
  }
  void send_all(ChannelId channel, Tick now);
  // Sends the command that the policy chooses for the die. Returns false if none is sent.
  bool serve(DieState& die, Tick now);
  // The die takes no command in its present state; it is checked again when it has changed. Returns false.
  bool pass_over(DieState& die);

  // Each starts to send the next operation of its kind. Returns false if there is none.
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
  std::vector<std::unique_ptr<SchedulingPolicy>> policies_;  // one for all dies, or one per die if it keeps account
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
