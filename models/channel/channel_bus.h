// SPDX-License-Identifier: Apache-2.0
// Arbitrates the bus of a channel. By default a command precedes the waiting responses (data-out, status): it starts
// work in a die, and no response starves, since a die gets no other command before it has responded. If responses go
// first, the dies synchronize and the bus is idle while all of them read.
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
  // Notifications to the two ends of the bus: the dies and the controller.
  class Ends {
   public:
    // The command's cycles have ended: the die takes the command.
    virtual void deliver(NandCommand& command, Tick now) = 0;
    // The response of the command begins, and holds the bus for `command.response_time`.
    virtual void begin_response(NandCommand& command, Tick now) = 0;

   protected:
    ~Ends() = default;
  };

  ChannelBus(Calendar& calendar, const BusTiming& timing, BusArbitration arbitration, std::uint32_t dies, Ends& ends);

  // Requests the bus for a command; at most one at a time.
  void request(NandCommand& command, Tick now);
  // Requests the bus for the response of a die; at most one per die at a time.
  void response_ready(NandCommand& command, Tick now);
  // Call when the initiator has ended the response.
  void response_ended(NandCommand& command, Tick now);
  // Removes the response of die `die` from the queue and returns it; null if none waits for the bus.
  [[nodiscard]] NandCommand* withdraw_response(DieInChannel die);
  // Delivers a cache read to its die at once. Its cycles and tRCBSY lengthen the die's next response, which outputs the
  // previous page.
  void request_cache_read(NandCommand& command, Tick now);

  const ChannelCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  void request_ended(std::uint64_t);
  void begin(NandCommand& response, Tick now);
  void grant(Tick now);
  // The place of response `k`, at most the number of dies, among the waiting ones.
  std::size_t place(std::size_t k) const {
    const std::size_t place = first_waiting_ + k;
    return place < waiting_.size() ? place : place - waiting_.size();
  }

  Calendar& calendar_;
  const BusTiming& timing_;
  const BusArbitration arbitration_;
  Ends& ends_;
  NandCommand* requesting_ = nullptr;  // waits for the bus, or holds it
  bool busy_ = false;
  // Responses that wait for the bus, in the order in which they became ready; a ring with one entry per die.
  std::vector<NandCommand*> waiting_;
  std::size_t first_waiting_ = 0;
  std::size_t waiting_count_ = 0;
  IdVector<DieInChannel, const NandCommand*> cache_reads_;  // by die: the cache read whose cycles have not been sent
  ChannelCounters counters_;
};

}  // namespace nandscape::channel
