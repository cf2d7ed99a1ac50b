// SPDX-License-Identifier: Apache-2.0
// Sends commands over the bus of each channel, one command at a time. Cache reads are sent first, because they need no
// bus time now. The remaining planes of an operation that has begun come next, and then the dies in turn (round robin).
// Each die chooses its command itself (DieScheduler). The phases are described in protocol/nand_command.h. Decisions
// are made as late as these phases allow: the next command is chosen when the bus is free for it.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <vector>

#include "controller/flash_ops/flash_op.h"
#include "controller/flash_ops/scheduler/channel_state.h"
#include "controller/flash_ops/scheduler/die_machine.h"
#include "controller/flash_ops/scheduler/die_queues.h"
#include "controller/flash_ops/scheduler/die_scheduler.h"
#include "controller/flash_ops/scheduler/power_gate.h"
#include "controller/flash_ops/scheduler/scheduling_policy.h"
#include "core/calendar.h"
#include "core/component.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

class FlashScheduler final : public Component {
 public:
  // The interface for sending to the channels.
  class Port {
   public:
    // Sends BEGIN_REQ for the command. The channel accepts a cache read before this call returns. For other commands,
    // request_ended() or response_begins() reports the end of the request.
    virtual void begin_request(ChannelId channel, NandCommand& command) = 0;
    // Sends END_RESP for the command, which ends its response.
    virtual void end_response(ChannelId channel, NandCommand& command) = 0;

   protected:
    ~Port() = default;
  };

  // `grouping` is null if reads are not grouped. `probe` is null if no object observes the commands. `power` is null if
  // operations never wait for power.
  FlashScheduler(const SchedulerParameters& parameters, const Geometry& geometry, const ReadGrouping* grouping,
                 Calendar& calendar, Port& port, DieProbe* probe = nullptr, PowerControl* power = nullptr);

  // Inserts the op into the queue of its die. Its command is sent as soon as the die and the bus are free and the
  // policy chooses it. Without a position, the op is new, and the policy chooses its position.
  void enqueue(FlashOp& op, Tick now);
  void enqueue(FlashOp& op, Tick now, QueuePosition position);
  // Between hold() and send_held(), no command is sent. Thus several ops can be enqueued before the scheduler decides
  // which of them form one operation.
  void hold();
  void send_held(Tick now);
  // Returns whether both reads are grouped and may be part of the same operation.
  bool groups(const FlashOp& one, const FlashOp& other) const {
    const ReadGrouping* const grouping = rules_.grouping;
    return grouping != nullptr && grouping->takes(one) && grouping->takes(other) && grouping->fit(one, other);
  }

  // Removes the first op that was enqueued under the lock and has not been sent yet, and returns it. Returns null if
  // there is no such op.
  [[nodiscard]] FlashOp* withdraw_locked(ChannelId channel, DieInChannel die);
  // Unlocks the die. All ops that were enqueued under the lock must have ended.
  void unlock_die(ChannelId channel, DieInChannel die, Tick now);
  // Returns whether a program or an erase is suspended on the die. The die must not be reset in this case, because the
  // reset would abort this operation.
  [[nodiscard]] bool holds_suspended(ChannelId channel, DieInChannel die) {
    return !die_at(channel, die).machine.suspended().empty();
  }

  // Called when the plane may have free pages again. Retries writes for which there was no free page.
  void places_changed(FlashPlane plane, Tick now);
  // Sets whether garbage collection on the plane has priority over the host, usually because the host cannot write
  // until collection has freed a block.
  void set_collection_urgent(FlashPlane plane, bool urgent);
  // Called after a power loss. From now on, writes are sent before all other ops, whatever the policy is.
  void save();
  // Called when the limit of PowerControl has changed.
  void power_limit_changed();

  // Called by the channels at END_REQ and BEGIN_RESP of a command. response_begins() returns whether the response has
  // ended already (completed_in_the_call()). If not, the scheduler ends it later through its port.
  void request_ended(ChannelId channel, NandCommand& command, Tick now);
  bool response_begins(ChannelId channel, NandCommand& command, Tick now);

  // Returns whether host writes are queued by their priority class.
  bool separates_classes() const { return policies_.front()->separates_classes(); }

  SchedulerCounters counters() const;
  // Returns for how long each die has been occupied so far. A die is occupied from the first cycle of a command until
  // the last byte or the status has been transferred, whether its array is busy or not.
  std::vector<Tick> occupied_dies() const;

  // Prints the state of each die that is busy or for which ops are waiting.
  void list_waiting(std::ostream& out) const override;

  // Saves or loads the state of the scheduler. No op may be waiting or in progress.
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override;

 private:
  void insert(FlashOp& op, Tick now, QueuePosition position);
  DieScheduler& die_at(ChannelId channel, DieInChannel die) { return channels_[channel].dies[die.value]; }
  DieScheduler& die_of(FlashPlane plane) { return dies_[geometry_.die_of(plane)]; }

  // Called when the state or the queues of the die have changed. Determines whether the die could accept a command, and
  // sends the commands that can be sent now.
  [[gnu::noinline]] void changed(DieScheduler& die, Tick now);
  void update_ready(DieScheduler& die, Tick now);
  void look_ahead(DieScheduler& die, Tick now);
  // Sends commands as long as the bus of the channel is free and a die accepts one.
  void dispatch(ChannelState& channel, Tick now);
  void send_all(ChannelState& channel, Tick now);
  // Sends one command, or finds that a die has none to send. Returns false if no command can be sent now.
  bool send_next(ChannelState& channel, Tick now);
  // Called if the die has no next command while it is not locked.
  [[gnu::noinline]] NandCommand* next_locked(DieScheduler& die, Tick now);
  void send(ChannelState& channel, DieScheduler& die, NandCommand& command, Tick now);
  void send_cache_read(DieScheduler& die, Tick now);
  // Removes the dies without power from those that could take a command.
  [[gnu::noinline]] void ask_for_power(ChannelState& channel, Tick now);
  // Lets dies that wait for power begin, in an event at the present time.
  void give_power_soon();
  void begin_request(DieScheduler& die, NandCommand& command, Tick now);

  // Continues request_ended() for other commands than reads, and if a busy die may accept another command.
  [[gnu::noinline]] void operation_sent(DieScheduler& die, NandCommand& command, Tick now);
  void array_started(DieScheduler& die);
  // Handles the response of a command that completes within the call.
  [[gnu::noinline]] void control_answered(ChannelId id, NandCommand& command, Tick now);
  // Continues response_begins() if a cache read may follow, if dies wait for power, or if an object observes the
  // commands.
  [[gnu::noinline]] bool look_and_await_end(DieScheduler& die, NandCommand& command, Tick now);
  // Continues response_ended() if all responses of the operation in the array have ended. The next operation of the die
  // follows in it.
  [[gnu::noinline]] void array_over(DieScheduler& die, FlashOp& op, bool counts, Tick now);
  // Callbacks for events on the calendar.
  void response_ended(FlashOp& op);
  void control_ended(FlashOp& op);
  void array_halted(DieScheduler& die);
  void look_again(DieScheduler& die);
  void give_power();

  const Geometry geometry_;
  DieRules rules_;
  std::optional<PowerGate> gate_;  // used while rules_.power_limited; empty if that is never set
  bool gives_power_soon_ = false;
  // One policy for all dies, or one policy per die if its keeps_account() is true.
  std::vector<std::unique_ptr<SchedulingPolicy>> policies_;
  Calendar& calendar_;
  Port& port_;
  DieProbe* const probe_;
  IdVector<DieId, DieScheduler> dies_;
  IdVector<ChannelId, ChannelState> channels_;
  std::uint64_t sequence_ = 0;
};

}  // namespace nandscape::controller
