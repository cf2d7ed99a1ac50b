// SPDX-License-Identifier: Apache-2.0
// Gives the bus of each channel to its dies, one command at a time: first to cache reads, which take no bus time, then
// to the other planes of an operation that has begun, then to the dies in turn. Each die chooses its own command
// (DieScheduler). The scheduler follows the phases of protocol/nand_command.h and decides as late as they allow: the
// next command is chosen when the bus is free for it.
#pragma once

#include <bit>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <vector>

#include "controller/flash_ops/flash_op.h"
#include "controller/flash_ops/scheduler/die_machine.h"
#include "controller/flash_ops/scheduler/die_queues.h"
#include "controller/flash_ops/scheduler/die_scheduler.h"
#include "controller/flash_ops/scheduler/scheduling_policy.h"
#include "core/calendar.h"
#include "core/component.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

// A set of a channel's dies, for round-robin selection.
class DieSet {
 public:
  explicit DieSet(std::uint32_t dies) : words_((dies + 63) / 64) {}

  // Adds a die that is not in the set, and removes one that is.
  void insert(DieInChannel die) {
    words_[die.value / 64] |= std::uint64_t{1} << (die.value % 64);
    ++members_;
  }
  void erase(DieInChannel die) {
    words_[die.value / 64] &= ~(std::uint64_t{1} << (die.value % 64));
    --members_;
  }

  bool empty() const { return members_ == 0; }

  // Returns the next die after `die`, cyclically, or an invalid die if the set is empty.
  DieInChannel next(DieInChannel die) const {
    if (empty()) return {};
    // The first word is visited twice: first the bits behind the die, and last the whole word.
    std::uint32_t index = die.value / 64;
    std::uint64_t word = words_[index] & (~std::uint64_t{1} << (die.value % 64));
    while (word == 0) {
      if (++index == words_.size()) index = 0;
      word = words_[index];
    }
    return DieInChannel(index * 64 + static_cast<std::uint32_t>(std::countr_zero(word)));
  }

 private:
  std::vector<std::uint64_t> words_;  // one bit per die
  std::uint32_t members_ = 0;
};

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

  // `grouping` is null if reads are not grouped, `probe` if nothing watches the dies.
  FlashScheduler(const SchedulerParameters& parameters, const Geometry& geometry, const ReadGrouping* grouping,
                 Calendar& calendar, Port& port, DieProbe* probe = nullptr);

  void enqueue(FlashOp& op, Tick now, QueuePosition position = QueuePosition::by_policy);
  // Between hold() and send_held() no op is sent, so that all ops enqueued meanwhile can be sent together.
  void hold() { holding_ = true; }
  void send_held(Tick now);
  // Whether both reads may be part of one operation.
  bool groups(const FlashOp& one, const FlashOp& other) const {
    const ReadGrouping* const grouping = rules_.grouping;
    return grouping != nullptr && grouping->takes(one) && grouping->takes(other) && grouping->fit(one, other);
  }

  // Removes the next op that was enqueued under the lock and has not been sent. Returns null if there is none.
  [[nodiscard]] FlashOp* withdraw_locked(ChannelId channel, DieInChannel die);
  // Unlocks the die. All ops enqueued under the lock must have ended.
  void unlock_die(ChannelId channel, DieInChannel die, Tick now);
  // Whether a program or an erase is suspended on the die: a reset would abort it.
  [[nodiscard]] bool holds_suspended(ChannelId channel, DieInChannel die) {
    return !die_at(channel, die).machine.suspended().empty();
  }

  // Called when the plane may have gained free pages. Writes that had no place are tried again.
  void places_changed(FlashPlane plane, Tick now);
  // Sets whether the host must wait to write to this plane until collection has freed a block.
  void set_collection_urgent(FlashPlane plane, bool urgent);
  // Called when the supply has failed. From now on, writes go before everything else under every policy.
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
  struct ChannelState {
    explicit ChannelState(std::uint32_t die_count) : ready(die_count), cacheable(die_count) {}

    bool any_waits() const { return sending != nullptr || !ready.empty() || !cacheable.empty(); }

    bool requesting = false;
    bool responding = false;
    bool dispatching = false;  // guards send_all against recursion
    bool held = false;         // send_held() has to dispatch this channel
    DieInChannel last_served{0};
    DieScheduler* dies = nullptr;     // the channel's dies
    DieScheduler* sending = nullptr;  // the die with planes left to send, or null
    DieSet ready;                     // the dies that are DieScheduler::ready
    DieSet cacheable;                 // the dies that are DieScheduler::cacheable
  };

  ChannelState& channel_of(const DieScheduler& die) { return channels_[die.channel]; }
  DieScheduler& die_at(ChannelId channel, DieInChannel die) { return channels_[channel].dies[die.value]; }
  DieScheduler& die_of(const FlashOp& op) { return die_at(op.channel, op.command.die); }
  DieScheduler& die_of(FlashPlane plane) { return dies_[geometry_.die_of(plane)]; }

  // Called when the die has changed. Updates the commands that it could take, and sends those that can be sent.
  void changed(DieScheduler& die, Tick now);
  void update_ready(DieScheduler& die, Tick now);
  void update_cacheable(DieScheduler& die, Tick now);
  void set_ready(DieScheduler& die, bool ready);
  void set_cacheable(DieScheduler& die, bool cacheable);
  // Sends all commands that the channel can take.
  void dispatch(ChannelState& channel, Tick now);
  void send_all(ChannelState& channel, Tick now);
  // Sends the die a command. Returns false if it takes none.
  [[nodiscard]] bool serve(ChannelState& channel, DieScheduler& die, Tick now);
  void send(ChannelState& channel, DieScheduler& die, NandCommand& command, Tick now);
  void send_cache_read(DieScheduler& die, Tick now);
  void begin_request(DieScheduler& die, NandCommand& command, Tick now);

  void array_started(DieScheduler& die);
  void control_answered(ChannelState& channel, DieScheduler& die, NandCommand& command, Tick now);
  // Events on the calendar.
  void response_ended(FlashOp& op);
  void control_ended(FlashOp& op);
  void array_halted(DieScheduler& die);
  void look_again(DieScheduler& die);

  const Geometry geometry_;
  DieRules rules_;
  std::vector<std::unique_ptr<SchedulingPolicy>> policies_;  // one for all dies, or one per die if it keeps account
  Calendar& calendar_;
  Port& port_;
  DieProbe* const probe_;
  IdVector<DieId, DieScheduler> dies_;
  IdVector<ChannelId, ChannelState> channels_;
  bool holding_ = false;
  std::uint64_t sequence_ = 0;
};

}  // namespace nandscape::controller
