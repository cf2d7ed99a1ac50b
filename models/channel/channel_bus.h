// SPDX-License-Identifier: Apache-2.0
// Arbitrates the bus of a channel. By default a command is sent before the waiting responses (data-out, status),
// because it starts work in a die. Responses cannot starve, because a die receives no other command before it has
// responded. If responses were sent first, the dies would become synchronized, and the bus would be idle while all of
// them read.
#pragma once

#include <cstdint>
#include <vector>

#include "channel/bus_timing.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "core/id_vector.h"
#include "core/statistics.h"

namespace nandscape::channel {

struct ChannelCounters {
  std::uint64_t commands = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  Tick busy = 0;
};

class ChannelBus {
 public:
  // Receives the notifications of the bus for the dies and the controller.
  class Ends {
   public:
    // Called when the cycles of the command have ended. Passes the command to its die.
    virtual void deliver(NandCommand& command, Tick now) = 0;
    // Called when the response of the command begins. The response occupies the bus for `command.response_time`.
    virtual void begin_response(NandCommand& command, Tick now) = 0;

   protected:
    ~Ends() = default;
  };

  ChannelBus(Calendar& calendar, const BusTiming& timing, BusArbitration arbitration, std::uint32_t dies, Ends& ends);

  // Requests the bus for a command. Throws ProtocolError if the previous command is still waiting for the bus or is
  // being sent.
  void request(NandCommand& command, Tick now);
  // Requests the bus for the response of a die. Each die may have at most one response that waits.
  void response_ready(NandCommand& command, Tick now);
  // Must be called when the initiator has ended the response. Grants the bus to the next command or response.
  void response_ended(NandCommand& command, Tick now);
  // Removes the die's response from the queue and returns it. Returns null if no response of the die is waiting for the
  // bus.
  [[nodiscard]] NandCommand* withdraw_response(DieInChannel die);
  // Delivers a cache read to its die immediately. The cycles of the command and tRCBSY are added to the die's next
  // response, which outputs the previous page.
  void request_cache_read(NandCommand& command, Tick now);

  const ChannelCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  void request_ended(std::uint64_t);
  void begin(NandCommand& response, Tick now);
  void grant(Tick now);
  // Returns the index in `waiting_` of the k-th waiting response, counted from 0. `k` must not exceed the number of
  // dies.
  std::size_t place(std::size_t k) const {
    const std::size_t place = first_waiting_ + k;
    return place < waiting_.size() ? place : place - waiting_.size();
  }

  Calendar& calendar_;
  const BusTiming& timing_;
  const BusArbitration arbitration_;
  Ends& ends_;
  NandCommand* requesting_ = nullptr;  // the command that waits for the bus or is being sent; null if none
  bool busy_ = false;
  // A ring buffer with one entry per die. It contains the responses that wait for the bus, in the order in which they
  // became ready.
  std::vector<NandCommand*> waiting_;
  std::size_t first_waiting_ = 0;
  std::size_t waiting_count_ = 0;
  // By die: a cache read whose cycles have not been sent yet, or null.
  IdVector<DieInChannel, const NandCommand*> cache_reads_;
  ChannelCounters counters_;
};

}  // namespace nandscape::channel
