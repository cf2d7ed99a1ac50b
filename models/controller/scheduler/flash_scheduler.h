// SPDX-License-Identifier: Apache-2.0
// Brings flash commands to the dies: a queue of each kind per die, one command at a time on each channel's bus, as many
// dies at work as there are. It follows the phases of protocol/nand_command.h and decides as late as they allow: which
// command goes is chosen when the bus is free for it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "controller/parameters.h"
#include "controller/scheduler/flash_transaction.h"
#include "controller/scheduler/scheduling_policy.h"
#include "core/calendar.h"
#include "protocol/geometry.h"

namespace nandscape {

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

  // Who asks for transactions.
  class Client {
   public:
    // Gives a write its place, or returns false when its plane has no free page for it now.
    virtual bool place(FlashTransaction& write, Tick now) = 0;
    // The page that a write to this plane would get, for multi-plane programs.
    virtual std::uint32_t next_page(const FlashTransaction& write) const = 0;
    virtual void done(FlashTransaction& transaction, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  FlashScheduler(const SchedulerParameters& parameters, const Geometry& geometry, Calendar& calendar, Port& port,
                 Client& client);

  void enqueue(FlashTransaction& transaction, Tick now);
  // The plane may have got free pages: writes that had no place are tried again.
  void places_changed(PlaneId plane, Tick now);
  // The host cannot write to this plane until collection has made a free block.
  void set_collection_urgent(PlaneId plane, bool urgent);

  // Phases that come back from a channel.
  void request_ended(ChannelId channel, NandCommand& command, Tick now);
  void response_begins(ChannelId channel, NandCommand& command, Tick now);

 private:
  enum class Activity : std::uint8_t {
    idle,
    requesting,  // a command is on the bus or is one of several planes' that are being sent
    reading,     // until the last byte of its pages has moved out
    programming,
    erasing,
    suspending,
  };

  struct PlaneQueues {
    TransactionQueue host_writes;
    TransactionQueue gc_writes;
    TransactionQueue erases;
    bool blocked = false;  // the oldest write of the host found no place
    bool urgent = false;
  };

  struct DieState {
    TransactionQueue host_reads;
    TransactionQueue gc_reads;
    std::vector<PlaneQueues> planes;
    Activity activity = Activity::idle;
    Activity suspended = Activity::idle;   // programming or erasing when such an operation waits to be resumed
    std::vector<FlashTransaction*> group;  // planes of the operation being sent
    std::size_t sent = 0;
    std::uint32_t unfinished = 0;  // commands of the operation that have not responded
    std::uint32_t suspended_unfinished = 0;
    FlashTransaction* cache_read = nullptr;  // behind the read that is going on
    bool responding = false;                 // the operation's array is known to have ended
    bool control_in_flight = false;
    // One each: a resume that ends may be followed by a suspend at once.
    NandCommand suspend;
    NandCommand resume;
  };

  struct ChannelState {
    bool requesting = false;
    bool responding = false;
    bool dispatching = false;  // guards against starting a second choice in the middle of one
    std::uint32_t last_served = 0;
    std::uint32_t sending = none;  // die with planes left to send
    // One bit per die.
    std::vector<std::uint64_t> ready;      // could take a command
    std::vector<std::uint64_t> cacheable;  // could take a cache read behind its read
  };

  static constexpr std::uint32_t none = ~std::uint32_t{0};

  DieState& die_state(ChannelId channel, std::uint32_t die) {
    return dies_[channel.value * geometry_.dies_per_channel() + die];
  }
  static std::uint32_t next_set(const std::vector<std::uint64_t>& bits, std::uint32_t after);

  DieCandidates candidates(const DieState& die) const;
  bool wants_suspend(const DieState& die) const;
  bool could_start(const DieState& die) const;
  void update_ready(ChannelId channel, std::uint32_t die);

  void dispatch(ChannelId channel, Tick now);
  void serve(ChannelId channel, std::uint32_t die, Tick now);
  // Takes the next operation of that kind out of the queues into die.group; false when it found no place.
  bool gather(DieState& die, QueueKind kind, Tick now);
  void gather_reads(DieState& die, TransactionQueue& queue);
  bool gather_writes(DieState& die, TransactionQueue PlaneQueues::*queue, Tick now);
  void gather_erases(DieState& die);
  void send_next(ChannelId channel, std::uint32_t die);
  void send_control(ChannelId channel, std::uint32_t die, NandOperation operation);
  void send_cache_read(ChannelId channel, std::uint32_t die);

  void control_ended(ChannelId channel, const NandCommand& command, Tick now);
  void suspend_ended(std::uint64_t die);
  void response_ended(std::uint64_t transaction);

  const Geometry geometry_;
  const SchedulerParameters parameters_;
  std::unique_ptr<SchedulingPolicy> policy_;
  Calendar& calendar_;
  Port& port_;
  Client& client_;
  std::vector<DieState> dies_;
  std::vector<ChannelState> channels_;
  std::uint64_t sequence_ = 0;
};

}  // namespace nandscape
