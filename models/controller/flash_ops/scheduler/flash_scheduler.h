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
#include "controller/flash_ops/scheduler/parameters.h"
#include "controller/flash_ops/scheduler/scheduling_policy.h"
#include "core/calendar.h"
#include "core/statistics.h"
#include "protocol/geometry.h"

namespace nandscape {

struct SchedulerCounters {
  std::uint64_t suspends = 0;
  std::uint64_t operations = 0;
  std::uint64_t planes = 0;
  std::uint64_t multi_plane_operations = 0;
  std::uint64_t subpage_operations = 0;
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

  FlashScheduler(const SchedulerParameters& parameters, const Geometry& geometry, Calendar& calendar, Port& port);

  void enqueue(FlashOp& transaction, Tick now);
  // Whether the read is one that goes with others of its plane.
  bool reads_subpage(const FlashOp& read) const;
  // What is enqueued from now on goes together: nothing is sent until all of it is there.
  void hold() { holding_ = true; }
  void send_held(Tick now);
  // A read of a subpage that goes to its die once more, before all that came later: new ones that go with retries can
  // keep no older one waiting for ever.
  void enqueue_again(FlashOp& read, Tick now);
  // What goes on in the die of a session, in this order: reads, which go as cache reads behind the one that is sensed
  // if they come early enough, features, and a reset, which is passed over when there is nothing to be aborted.
  void enqueue_locked(FlashOp& transaction, Tick now);
  // Subpages that go on in the session of their die, as one operation.
  void enqueue_operation(std::span<FlashOp* const> subpages, Tick now);
  // A transaction that has not been sent yet, taken back; null when there is none.
  FlashOp* withdraw_locked(ChannelId channel, std::uint32_t die);
  // All of its transactions are done.
  void unlock_die(ChannelId channel, std::uint32_t die, Tick now);
  // A program or an erase is suspended there: a reset would abort it.
  bool holds_suspended(ChannelId channel, std::uint32_t die) {
    return die_state(channel, die).suspended != Activity::idle;
  }
  // A write of the controller's own that others of its plane wait for: it goes before all of its kind, and has a place.
  void enqueue_first(FlashOp& write, Tick now);
  // The plane may have got free pages: writes that had no place are tried again.
  void places_changed(PlaneId plane, Tick now);
  // The host cannot write to this plane until collection has made a free block.
  void set_collection_urgent(PlaneId plane, bool urgent);

  // Phases that come back from a channel.
  void request_ended(ChannelId channel, NandCommand& command, Tick now);
  void response_begins(ChannelId channel, NandCommand& command, Tick now);

  SchedulerCounters counters() const;

  // Says of each die what is in its queues, if anything is (flash_scheduler_waiting.cpp).
  void list_waiting(std::ostream& out) const;

  // While there is nothing to do.
  void persist(Archive& archive);
  void persist_counters(Archive& archive);

 private:
  enum class Activity : std::uint8_t {
    idle,
    requesting,  // a command is on the bus or is one of several planes' that are being sent
    reading,     // until the last byte of its pages has moved out
    copying,     // a page to its page register
    programming,
    erasing,
    suspending,
  };

  struct WriteQueue {
    OpQueue waiting;
    bool blocked = false;  // the first write found no place

    FlashOp* first() const { return blocked ? nullptr : waiting.front(); }
  };

  struct PlaneQueues {
    WriteQueue host_writes;
    WriteQueue background_writes;
    OpQueue erases;
    bool urgent = false;
  };

  struct DieState {
    OpQueue host_reads;
    OpQueue background_reads;
    std::vector<PlaneQueues> planes;
    SchedulingPolicy* policy = nullptr;
    Activity activity = Activity::idle;
    Activity suspended = Activity::idle;  // programming or erasing when such an operation waits to be resumed
    bool responding = false;              // the operation's array is known to have ended
    bool control_in_flight = false;
    std::vector<FlashOp*> group;  // planes of the operation being sent
    std::size_t sent = 0;
    std::uint32_t unfinished = 0;  // commands of the operation that have not responded
    std::uint32_t suspended_unfinished = 0;
    // First of the program or erase that is going on or suspended.
    const FlashOp* under_way = nullptr;
    std::uint32_t suspends = 0;  // of that operation
    Tick running_since = 0;
    bool run_timer = false;         // an event will look whether it may be suspended
    FlashOp* cache_read = nullptr;  // behind the read that is going on
    bool locked = false;            // `session` is all that goes to it
    OpQueue under_lock;
    // Programs: whether the one that is going on lets the next into the cache register, and from when on.
    bool cacheable_program = false;
    Tick cache_free = 0;
    std::uint32_t cached = 0;  // commands of the program that waits in the cache register
    const FlashOp* cached_first = nullptr;
    const NandCommand* cached_last = nullptr;
    FlashOp* copyback = nullptr;  // whose page is in its page register
    // One each: a resume that ends may be followed by a suspend at once.
    NandCommand suspend;
    NandCommand resume;
  };

  struct ChannelState {
    bool requesting = false;
    bool responding = false;
    bool dispatching = false;  // guards against starting a second choice in the middle of one
    bool held = false;         // something might be sent once all of what goes together is there
    std::uint32_t last_served = 0;
    std::uint32_t sending = none;  // die with planes left to send
    // One bit per die.
    std::vector<std::uint64_t> ready;      // could take a command
    std::vector<std::uint64_t> cacheable;  // could take a cache read behind its read
  };

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  // How far into a queue of reads to look for one that may go with the first.
  static constexpr int read_search = 32;

  // Policies that keep account hear of what was in the queues: of a session, of the first read.
  bool counts(const DieState& die, const FlashOp& transaction) const {
    return keeps_account_ && !transaction.goes_along && (!die.locked || transaction.locks_die);
  }
  bool cache_reads() const { return parameters_.cache_read || locked_dies_ != 0; }
  DieState& die_state(ChannelId channel, std::uint32_t die) {
    return dies_[channel.value * geometry_.dies_per_channel() + die];
  }
  static std::uint32_t next_set(const std::vector<std::uint64_t>& bits, std::uint32_t after);

  // flash_scheduler_queues.cpp: what waits, and what becomes the next operation.
  DieCandidates candidates(const DieState& die) const;
  bool wants_suspend(const DieState& die) const;
  bool could_start(const DieState& die) const;
  bool could_go_on(const DieState& die) const;  // in its session
  bool could_cache_read(const DieState& die) const;
  bool could_cache_program(const DieState& die) const;

  void dispatch(ChannelId channel, Tick now);
  void serve(ChannelId channel, std::uint32_t die, Tick now);
  // Takes the next operation of that kind out of the queues into die.group; false when it found no place.
  bool gather(DieState& die, QueueKind kind, Tick now);
  void gather_reads(DieState& die, OpQueue& queue, Tick now);
  // flash_scheduler_subpages.cpp
  void gather_subpages(DieState& die, FlashOp& main, OpQueue& queue, Tick now);
  void add_subpage(DieState& die, FlashOp& read);
  // Takes out of the queue what goes next with the group; null when nothing does.
  FlashOp* take_partner(const std::vector<FlashOp*>& group, OpQueue& queue) const;
  bool may_join(const std::vector<FlashOp*>& group, const FlashOp& read) const;
  std::uint32_t subpage_of(std::uint32_t byte) const { return byte / (geometry_.page_bytes / subpages_per_page); }
  bool gather_writes(DieState& die, WriteQueue PlaneQueues::*queue, Tick now);
  void gather_erases(DieState& die);
  void arrange(DieState& die);

  void update_ready(ChannelId channel, std::uint32_t die);
  // Takes the next operation and starts to send it.
  bool start(ChannelId channel, std::uint32_t die, Tick now);
  bool start_locked(ChannelId channel, std::uint32_t die, Tick now);
  bool start_copyback_program(ChannelId channel, std::uint32_t die, Tick now);
  void send_group(ChannelId channel, std::uint32_t die);
  void send_next(ChannelId channel, std::uint32_t die);
  void send_control(ChannelId channel, std::uint32_t die, NandOperation operation);
  void send_at_once(ChannelId channel, std::uint32_t die, NandCommand& command);
  void send_cache_read(ChannelId channel, std::uint32_t die);

  void operation_sent(ChannelId channel, std::uint32_t die, const NandCommand& last, Tick now);
  void program_begins(ChannelId channel, std::uint32_t die, bool cacheable, Tick cache_free);
  void control_ended(ChannelId channel, const NandCommand& command, Tick now);
  void locked_command_ended(std::uint64_t transaction);
  void suspend_ended(std::uint64_t die);
  void look_again(std::uint64_t die);
  void response_ended(std::uint64_t transaction);

  const Geometry geometry_;
  const SchedulerParameters parameters_;
  const Tick min_run_;
  std::vector<std::unique_ptr<SchedulingPolicy>> policies_;  // of all dies, or one for each that keeps account
  const bool keeps_account_;
  Calendar& calendar_;
  Port& port_;
  std::vector<DieState> dies_;
  std::vector<ChannelState> channels_;
  std::uint32_t locked_dies_ = 0;  // that are open
  bool holding_ = false;
  std::uint64_t sequence_ = 0;
  SchedulerCounters counters_;
};

}  // namespace nandscape
