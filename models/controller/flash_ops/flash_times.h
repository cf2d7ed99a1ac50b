// SPDX-License-Identifier: Apache-2.0
// Where the time of flash commands goes that the host waits for. It stands between the scheduler and the channels, sees
// the phases of all commands pass by, and knows from them what each die and each bus is in use for:
//
//   enqueued .. BEGIN_REQ     wait: for the die, for the bus, or for what collection has to free
//   BEGIN_REQ .. END_REQ      transfer
//   END_REQ .. BEGIN_RESP     array, then the wait for the bus; a suspended program waits for the die
//   BEGIN_RESP .. END_RESP    transfer
//   END_RESP .. coded         ecc
//
// Each die has clocks of what somebody who waits for it is waiting for: they stand or run one at a time, so that what
// they have advanced between the beginning and the end of a wait is all of it. As long as the die is at work, that is
// the die, or collection when it works in the background; else whoever has the bus; a program that could go and is not
// sent has no place, which collection has to make.
//
// It only looks on. A drive that keeps no times has none.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "controller/flash_ops/flash_op.h"
#include "controller/flash_ops/scheduler/flash_scheduler.h"
#include "core/pool.h"
#include "protocol/geometry.h"
#include "protocol/time_sheet.h"

namespace nandscape::controller {

// What somebody who waits for a die is waiting for.
struct WaitClocks {
  Tick die = 0;
  Tick channel = 0;
  Tick collection = 0;
  Tick nothing = 0;  // neither die nor bus is in use
};

// Of one op.
class OpTimes : public TimeSheet {
 private:
  friend class FlashTimes;

  bool waiting_ = false;
  std::size_t die_ = 0;  // that it waits for
  WaitClocks from_;      // when that began
};

class FlashTimes final : public FlashScheduler::Port {
 public:
  FlashTimes(const Geometry& geometry, Calendar& calendar, FlashScheduler::Port& flash);

  // A sheet for an op that the host waits for, in that part from now on; and its end.
  void begin(FlashOp& op, LatencyPart part, Tick now);
  void end(FlashOp& op);

  // The op waits for its die from now on. Before the scheduler has it, which may send it at once.
  void enqueued(FlashOp& op, Tick now);

  // FlashScheduler::Port
  void begin_request(ChannelId channel, NandCommand& command) override;
  void end_response(ChannelId channel, NandCommand& command) override;
  // Phases that come back, on their way to the scheduler.
  void request_ended(ChannelId channel, NandCommand& command, Tick now, FlashScheduler& scheduler);
  void response_begins(ChannelId channel, NandCommand& command, Tick now, FlashScheduler& scheduler);

 private:
  enum class Use : std::uint8_t { none, host, background };

  // Uses of a bus in the background that are over, so that a wait in the past can be told to be due to them. A die has
  // one response at a time, so that no more than a few pass by while one waits; older ones are forgotten.
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
    Tick host = 0;        // how long it has been in use for the host
    Tick background = 0;  // and in the background
    std::array<PastUse, remembered_uses> past{};
    std::size_t next_past = 0;

    Use use() const { return requesting != Use::none ? requesting : responding; }
  };

  // Commands of an operation, with the sheets of those that have one.
  struct Operation {
    std::uint32_t commands = 0;
    Use use = Use::none;
    std::vector<OpTimes*> sheets;

    void clear() {
      commands = 0;
      use = Use::none;
      sheets.clear();
    }
  };

  struct Die {
    Tick mark = 0;
    Tick bus_host = 0;        // of its bus, at that mark
    Tick bus_background = 0;  // likewise
    WaitClocks clocks;
    Operation sending;    // on the bus
    Operation behind;     // in the cache register, or a cache read, until the one before it has ended
    Operation working;    // in the array, until its last response has ended
    Operation suspended;  // a program or an erase
  };

  static Use use_of(const FlashOp& op);
  std::size_t index_of(ChannelId channel, const NandCommand& command) const {
    return std::size_t{channel.value} * dies_per_channel_ + command.die;
  }
  void note_request_end(ChannelId channel, const NandCommand& command, Tick now);
  void note_response(ChannelId channel, const NandCommand& command, Tick now);
  // Lets the clocks run until now.
  void advance(Bus& bus, Tick now);
  void advance(Die& die, Bus& bus, Tick now);
  static Tick* clock_of(Die& die);
  void note_use(Bus& bus, Use before, Tick now);

  void end_wait(OpTimes& sheet, bool program, Die& die, std::size_t index, Tick now);
  void control_begins(Die& die, Bus& bus, NandOperation operation, Tick now);
  void control_ended(Die& die, const NandCommand& command, Tick now);
  static void enter_all(Operation& operation, LatencyPart part, Tick now);
  static void move(Operation& from, Operation& to);
  // How much of the time from then on until now the bus was in use in the background.
  static Tick background_since(const Bus& bus, Tick then, Tick now);

  const std::uint32_t dies_per_channel_;
  Calendar& calendar_;
  FlashScheduler::Port& flash_;
  std::vector<Bus> buses_;
  std::vector<Die> dies_;
  Pool<OpTimes> sheets_;
};

}  // namespace nandscape::controller
