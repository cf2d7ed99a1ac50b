// SPDX-License-Identifier: Apache-2.0
// Who has the bus of a channel. By default a command goes before the responses that wait (data of finished reads,
// status): it sets a die to work, and no response starves, since a die gets no other command before it has responded.
// With responses first the dies fall into step, and the bus stands still while all of them read.
#pragma once

#include <cstdint>
#include <vector>

#include "channel/bus_timing.h"
#include "core/archive.h"
#include "core/calendar.h"
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
  // What happens at the two ends of the bus.
  class Ends {
   public:
    // The command's cycles are over: the die takes it.
    virtual void deliver(NandCommand& command, Tick now) = 0;
    // The bus is the command's response's for `command.response_time`.
    virtual void begin_response(NandCommand& command, Tick now) = 0;

   protected:
    ~Ends() = default;
  };

  ChannelBus(Calendar& calendar, const BusTiming& timing, BusArbitration arbitration, std::uint32_t dies, Ends& ends);

  // A command asks for the bus; at most one at a time.
  void request(NandCommand& command, Tick now);
  // A die is ready to respond; at most one response per die at a time.
  void response_ready(NandCommand& command, Tick now);
  // The initiator has taken the response.
  void response_ended(NandCommand& command, Tick now);
  // The response of that die that waits for the bus, taken out of the queue; null when none waits.
  NandCommand* withdraw_response(std::uint32_t die);
  // A cache read is handed to its die at once; its cycles and tRCBSY come before the data-out of the page before it.
  void request_cache_read(NandCommand& command, Tick now);

  const ChannelCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  void request_ended(std::uint64_t);
  void begin(NandCommand& response, Tick now);
  void grant(Tick now);

  Calendar& calendar_;
  const BusTiming& timing_;
  const BusArbitration arbitration_;
  Ends& ends_;
  NandCommand* requesting_ = nullptr;  // has asked for the bus, or has it
  bool busy_ = false;
  // Dies that wait with a response, in the order in which they became ready; a ring of one place per die.
  std::vector<NandCommand*> waiting_;
  std::size_t first_waiting_ = 0;
  std::size_t waiting_count_ = 0;
  std::vector<const NandCommand*> cache_reads_;  // by die: the cache read whose cycles are still to come
  ChannelCounters counters_;
};

}  // namespace nandscape::channel
