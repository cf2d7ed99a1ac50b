// SPDX-License-Identifier: Apache-2.0
// Arbitrates the bus of a channel. By default a command is sent before the waiting responses (data-out, status),
// because it starts work in a die. Responses cannot starve, because a die, or a plane of it that reads on its own,
// receives no other command before it has responded. If responses were sent first, the dies would become synchronized,
// and the bus would be idle while all of them read.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "channel/bus_timing.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "core/error.h"
#include "core/id_vector.h"
#include "core/statistics.h"

namespace nandscape::channel {

struct ChannelCounters {
  std::uint64_t commands = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  Tick busy = 0;
};

// The owner of the bus stands for the dies and the controller. It must have these functions:
//   void deliver(NandCommand&, Tick now)         the cycles of the command have ended; passes the command to its die
//   void begin_response(NandCommand&, Tick now)  the response begins, and occupies the bus for `command.response_time`
template <class Owner>
class ChannelBus {
 public:
  ChannelBus(Calendar& calendar, const BusTiming& timing, BusArbitration arbitration, std::uint32_t dies, Owner& owner)
      : calendar_(calendar),
        timing_(timing),
        owner_(owner),
        arbitration_(arbitration),
        waiting_(dies),
        cache_reads_(dies) {}

  // Requests the bus for a command. Throws ProtocolError if the previous command is still waiting for the bus or is
  // being sent.
  void request(NandCommand& command, Tick now) {
    if (requesting_ != nullptr) [[unlikely]]
      refuse(command);
    requesting_ = &command;
    if (!busy_) grant(now);
  }

  // Requests the bus for the response of a die. Each die may have at most one response that waits.
  void response_ready(NandCommand& command, Tick now) {
    if (!busy_) return begin(command, now);
    command.bus_asked = now;
    waiting_[place(waiting_count_)] = &command;
    ++waiting_count_;
  }

  // Must be called when the initiator has ended the response. Grants the bus to the next command or response.
  void response_ended(Tick now) { grant(now); }

  // Removes the die's response from the queue and returns it. Returns null if no response of the die is waiting for the
  // bus.
  [[nodiscard]] NandCommand* withdraw_response(DieInChannel die) {
    for (std::uint32_t k = 0; k < waiting_count_; ++k) {
      NandCommand* const found = waiting_[place(k)];
      if (found->die != die) continue;
      for (--waiting_count_; k < waiting_count_; ++k) {
        waiting_[place(k)] = waiting_[place(k + 1)];
      }
      return found;
    }
    return nullptr;
  }

  // Delivers a cache read to its die immediately. The cycles of the command and tRCBSY are added to the die's next
  // response, which outputs the previous page.
  void request_cache_read(NandCommand& command, Tick now) {
    ++counters_.commands;
    owner_.deliver(command, now);
    cache_reads_[command.die] = &command;
  }

  const ChannelCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  // Grants the bus to the next command or response. The bus becomes free if none waits.
  void grant(Tick now) {
    const bool request_waits = requesting_ != nullptr;
    busy_ = request_waits || waiting_count_ != 0;
    if (request_waits && (arbitration_ == BusArbitration::command_first || waiting_count_ == 0)) {
      const Tick duration = timing_.request(*requesting_);
      counters_.busy += duration;
      calendar_.schedule<&ChannelBus::request_ended>(now + duration, *this);
    } else if (waiting_count_ != 0) {
      NandCommand& response = *waiting_[first_waiting_];
      first_waiting_ = place(1);
      --waiting_count_;
      begin(response, now);
    }
  }

  void begin(NandCommand& response, Tick now) {
    busy_ = true;
    const std::uint32_t bytes_out = moves_page_out(response.operation) ? BusTiming::bytes_out(response) : 0;
    response.response_time = timing_.response(response);
    if (cache_reads_[response.die] != nullptr) [[unlikely]]
      add_cache_read(response, now);
    counters_.busy += response.response_time;
    counters_.bytes_out += bytes_out;
    owner_.begin_response(response, now);
  }

  // Adds the cycles of the die's cache read to a response. The response time of a cache read is tRCBSY.
  void add_cache_read(NandCommand& response, Tick now) {
    const NandCommand& cache_read = *std::exchange(cache_reads_[response.die], nullptr);
    const Tick cycles = timing_.request(cache_read);
    response.cache_read_confirmed = now + cycles;
    response.response_time += cycles + cache_read.response_time;
  }

  void request_ended() {
    const Tick now = calendar_.now();
    NandCommand& command = *requesting_;
    requesting_ = nullptr;
    ++counters_.commands;
    if (programs(command.operation)) counters_.bytes_in += command.bytes;
    // The cycles of a cache read are sent just before the data-out of the previous page. A reset cancels this data-out,
    // and the cache read with it.
    if (command.operation == NandOperation::reset) cache_reads_[command.die] = nullptr;
    // The bus stays busy during deliver(), because deliver() may call request() for the next command. The bus is
    // granted after that.
    owner_.deliver(command, now);
    grant(now);
  }

  static constexpr bool moves_page_out(NandOperation operation) {
    return operation == NandOperation::read || operation == NandOperation::copyback_read;
  }

  // Returns the index in `waiting_` of the k-th waiting response, counted from 0. `k` must not exceed the number of
  // dies.
  std::uint32_t place(std::uint32_t k) const {
    const auto size = static_cast<std::uint32_t>(waiting_.size());
    const std::uint32_t place = first_waiting_ + k;
    return place < size ? place : place - size;
  }

  [[noreturn, gnu::noinline]] void refuse(const NandCommand& command) const {
    throw ProtocolError(to_string(command) + " is sent while " + to_string(*requesting_) + " has not been accepted");
  }

  Calendar& calendar_;
  const BusTiming& timing_;
  Owner& owner_;
  NandCommand* requesting_ = nullptr;  // the command that waits for the bus or is being sent; null if none
  const BusArbitration arbitration_;
  bool busy_ = false;
  // A ring buffer with one entry per die. It contains the responses that wait for the bus, in the order in which they
  // became ready.
  std::uint32_t first_waiting_ = 0;
  std::uint32_t waiting_count_ = 0;
  std::vector<NandCommand*> waiting_;
  // By die: a cache read whose cycles have not been sent yet, or null.
  IdVector<DieInChannel, const NandCommand*> cache_reads_;
  ChannelCounters counters_;
};

}  // namespace nandscape::channel
