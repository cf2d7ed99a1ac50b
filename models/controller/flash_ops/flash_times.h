// SPDX-License-Identifier: Apache-2.0
// Splits the latency of flash commands that the host waits for into its parts. It sees the phases of all commands, and
// asks each die what it does:
//
//   enqueued .. BEGIN_REQ     wait: for the die, for the bus, or for space that collection has to free
//   BEGIN_REQ .. END_REQ      transfer
//   END_REQ .. BEGIN_RESP     array, then the wait for the bus; a suspended program waits for the die
//   BEGIN_RESP .. END_RESP    transfer
//   END_RESP .. coded         ecc
//
// Each die has one clock per cause of a wait. Exactly one clock runs at a time, so the clocks' advances over a wait add
// up to its duration. While the die is busy, the cause is the die, or collection if the die does background work.
// Otherwise the cause is the user of the bus. A program that could be sent but is not waits for a place, which
// collection has to free.
//
// FlashTimes only observes. A drive that records no latency parts has no FlashTimes.
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

// The causes of a wait for a die.
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
  std::size_t die_ = 0;  // the die that it waits for
  WaitClocks from_;      // the die's clocks when the wait began
};

class FlashTimes final : public DieProbe {
 public:
  FlashTimes(const Geometry& geometry, Tick now);

  // Begin and end recording the parts of an op that the host waits for; `part` runs first.
  void begin(FlashOp& op, LatencyPart part, Tick now);
  void end(FlashOp& op);

  // The op waits for its die from now on. Call this before the scheduler gets the op, since that may send it at once.
  void enqueued(FlashOp& op, Tick now);

  // DieProbe
  void request_begins(ChannelId channel, const DieMachine& machine, const NandCommand& command, Tick now) override;
  void request_ended(ChannelId channel, const DieMachine& machine, const NandCommand& command, Tick now) override;
  void response_begins(ChannelId channel, const DieMachine& machine, const NandCommand& command, Tick now) override;
  void response_ended(ChannelId channel, const DieMachine& machine, const NandCommand& command, Tick now) override;

 private:
  enum class Use : std::uint8_t { none, host, background };

  // Past background uses of a bus, so that a wait in the past can be attributed to them. A die has one response at a
  // time, so only a few uses of the bus pass while a response waits; older uses are forgotten.
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
    Tick host = 0;        // total time of its use for the host
    Tick background = 0;  // total time of its use for background work
    std::array<PastUse, remembered_uses> past{};
    std::size_t next_past = 0;

    Use use() const { return requesting != Use::none ? requesting : responding; }
  };

  struct Die {
    Tick mark = 0;
    Tick bus_host = 0;        // Bus::host at `mark`
    Tick bus_background = 0;  // Bus::background at `mark`
    WaitClocks clocks;
    // The users of the die since `mark`. A die with host and background operations counts as working for the host.
    Use working = Use::none;
    Use suspended = Use::none;
  };

  static Use use_of(const FlashOp& op);
  static Use use_of(const std::vector<FlashOp*>& ops) { return ops.empty() ? Use::none : use_of(*ops.front()); }
  std::size_t index_of(ChannelId channel, const NandCommand& command) const {
    return std::size_t{channel.value} * dies_per_channel_ + command.die.value;
  }
  // Advances the clocks to `now`.
  static void advance(Bus& bus, Tick now);
  static void advance(Die& die, Bus& bus, Tick now);
  // Called when the user of the bus changes, for requests or for responses.
  static void set_use(Bus& bus, Use Bus::*side, Use use, Tick now);
  static void look_at(const DieMachine& machine, Die& die);

  void end_wait(OpTimes& sheet, bool program, const Die& die, std::size_t index, Tick now);
  // The time between `then` and `now` in which the bus was used for background work.
  static Tick background_since(const Bus& bus, Tick then, Tick now);

  const std::uint32_t dies_per_channel_;
  std::vector<Bus> buses_;
  std::vector<Die> dies_;
  Pool<OpTimes> sheets_;
};

}  // namespace nandscape::controller
