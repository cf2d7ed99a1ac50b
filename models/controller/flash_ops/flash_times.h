// SPDX-License-Identifier: Apache-2.0
// Divides the latency of each flash command for which the host waits into parts (LatencyPart). FlashTimes is notified
// of the protocol phases of all commands and examines the state of the die at each phase:
//
//   enqueued to BEGIN_REQ     wait for the die, for the bus, or for free pages that collection has to provide
//   BEGIN_REQ to END_REQ      transfer
//   END_REQ to BEGIN_RESP     array time, then a wait for the bus; a suspended program waits for the die
//   BEGIN_RESP to END_RESP    transfer
//   END_RESP to coded()       decoding by the ECC engine
//
// The wait for a die can have several causes. Each die therefore has one clock for each cause, and exactly one of these
// clocks runs at a time. The advances of the clocks during a wait add up to the duration of the wait. While the die is
// busy, the cause is the die, or collection if the die does background work. While the die is idle, the cause is the
// command that uses the bus: the channel if it is a host command, collection if it is background work. A program that
// could be sent at once but is not sent waits for a free page, which collection has to provide.
//
// While planes of a die read on their own, the clock of the die runs. A read that waits for the bus although its plane
// is free therefore counts as waiting for the die.
//
// FlashTimes only observes and never changes the timing. A drive that does not record latency parts has no FlashTimes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "controller/flash_ops/flash_op.h"
#include "controller/flash_ops/scheduler/die_machine.h"
#include "core/pool.h"
#include "protocol/geometry.h"
#include "protocol/time_sheet.h"

namespace nandscape::controller {

// The clocks of a die, one for each cause of a wait: the total time during which a command to the die would have waited
// because of this cause.
struct WaitClocks {
  Tick die = 0;
  Tick channel = 0;
  Tick collection = 0;
  Tick nothing = 0;  // neither die nor bus is in use
};

// The latency parts of one op.
class OpTimes : public TimeSheet {
 private:
  friend class FlashTimes;

  bool waiting_ = false;
  std::size_t die_ = 0;  // the die that the op waits for
  WaitClocks from_;      // the die's clocks when the wait began
};

class FlashTimes final : public DieProbe {
 public:
  FlashTimes(const Geometry& geometry, Tick now);

  // Begin and end the recording of latency parts for an op that the host waits for. `part` is the first part of the
  // latency.
  void begin(FlashOp& op, LatencyPart part, Tick now);
  void end(FlashOp& op);

  // Records that the op waits for its die from now on. Must be called before the op is passed to the scheduler, since
  // the scheduler may send it at once.
  void enqueued(FlashOp& op, Tick now);

  // DieProbe
  void request_begins(ChannelId channel, const DieMachine& machine, const NandCommand& command, Tick now) override;
  void request_ended(ChannelId channel, const DieMachine& machine, const NandCommand& command, Tick now) override;
  void response_begins(ChannelId channel, const DieMachine& machine, const NandCommand& command, Tick now) override;
  void response_ended(ChannelId channel, const DieMachine& machine, const NandCommand& command, Tick now) override;

 private:
  enum class Use : std::uint8_t { none, host, background };

  // The latest periods in which background work used a bus. They show how much of a wait that has already passed was
  // caused by background work. A plane has at most one outstanding response, so a response waits for only a few uses of
  // the bus; older uses can be overwritten.
  static constexpr std::size_t remembered_uses = 64;
  struct PastUse {
    Tick begin = 0;
    Tick end = 0;
  };

  struct Bus {
    Use requesting = Use::none;
    Use responding = Use::none;
    Tick mark = 0;
    Tick background_since = 0;
    Tick host = 0;        // total time in use for the host
    Tick background = 0;  // total time in use for background work
    std::array<PastUse, remembered_uses> past{};
    std::size_t next_past = 0;

    Use use() const { return requesting != Use::none ? requesting : responding; }
  };

  struct Die {
    Tick mark = 0;
    Tick bus_host = 0;        // Bus::host at `mark`
    Tick bus_background = 0;  // Bus::background at `mark`
    WaitClocks clocks;
    // The kind of work that the die has done since `mark`. A die with both host and background operations counts as
    // working for the host.
    Use working = Use::none;
    Use suspended = Use::none;
  };

  static Use use_of(const FlashOp& op);
  static Use use_of(const OpQueue& ops) { return ops.empty() ? Use::none : use_of(*ops.front()); }
  std::size_t index_of(ChannelId channel, const NandCommand& command) const {
    return std::size_t{channel.value} * dies_per_channel_ + command.die.value;
  }
  // Advance the counters of the bus or the clocks of the die to `now`.
  static void advance(Bus& bus, Tick now);
  static void advance(Die& die, Bus& bus, Tick now);
  // Records that the requests or the responses on the bus (`side`) now belong to `use`.
  static void set_use(Bus& bus, Use Bus::*side, Use use, Tick now);
  static void look_at(const DieMachine& machine, Die& die);

  void end_wait(OpTimes& sheet, bool program, const Die& die, std::size_t index, Tick now);
  // Returns the time between `then` and `now` during which the bus was used for background work.
  static Tick background_since(const Bus& bus, Tick then, Tick now);

  const std::uint32_t dies_per_channel_;
  std::vector<Bus> buses_;
  std::vector<Die> dies_;
  Pool<OpTimes> sheets_;
};

}  // namespace nandscape::controller
