// SPDX-License-Identifier: Apache-2.0
#include "channel/channel_bus.h"

#include <utility>

#include "core/error.h"
#include "protocol/sensing_levels.h"

namespace nandscape::channel {

namespace {

constexpr bool moves_page_out(NandOperation operation) {
  return operation == NandOperation::read || operation == NandOperation::copyback_read;
}

constexpr bool moves_page_in(NandOperation operation) {
  return operation == NandOperation::program || operation == NandOperation::copyback_program;
}

}  // namespace

ChannelBus::ChannelBus(Calendar& calendar, const BusTiming& timing, BusArbitration arbitration, std::uint32_t dies,
                       Ends& ends)
    : calendar_(calendar),
      timing_(timing),
      arbitration_(arbitration),
      ends_(ends),
      waiting_(dies),
      cache_reads_(dies) {}

void ChannelBus::request(NandCommand& command, Tick now) {
  if (requesting_ != nullptr) {
    throw ProtocolError(to_string(command) + " is sent while " + to_string(*requesting_) + " has not been accepted");
  }
  requesting_ = &command;
  if (!busy_) grant(now);
}

void ChannelBus::request_cache_read(NandCommand& command, Tick now) {
  ++counters_.commands;
  ends_.deliver(command, now);
  cache_reads_[command.die] = &command;
}

void ChannelBus::response_ready(NandCommand& command, Tick now) {
  if (!busy_) {
    begin(command, now);
    return;
  }
  command.bus_asked = now;
  waiting_[place(waiting_count_)] = &command;
  ++waiting_count_;
}

NandCommand* ChannelBus::withdraw_response(DieInChannel die) {
  for (std::size_t k = 0; k < waiting_count_; ++k) {
    NandCommand* const found = waiting_[place(k)];
    if (found->die != die) continue;
    for (--waiting_count_; k < waiting_count_; ++k) {
      waiting_[place(k)] = waiting_[place(k + 1)];
    }
    return found;
  }
  return nullptr;
}

void ChannelBus::grant(Tick now) {
  const bool request_waits = requesting_ != nullptr;
  if (request_waits && (arbitration_ == BusArbitration::command_first || waiting_count_ == 0)) {
    busy_ = true;
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

void ChannelBus::begin(NandCommand& response, Tick now) {
  busy_ = true;
  response.response_time = timing_.response(response);
  if (const NandCommand* cache_read = std::exchange(cache_reads_[response.die], nullptr)) {
    const Tick cycles = timing_.request(*cache_read);
    response.cache_read_confirmed = now + cycles;
    response.response_time += cycles + cache_read->response_time;  // the response time of a cache read is tRCBSY
  }
  counters_.busy += response.response_time;
  if (moves_page_out(response.operation)) counters_.bytes_out += response.bytes * soft_bits(response.new_levels());
  ends_.begin_response(response, now);
}

void ChannelBus::request_ended(std::uint64_t) {
  const Tick now = calendar_.now();
  NandCommand& command = *requesting_;
  requesting_ = nullptr;
  ++counters_.commands;
  if (moves_page_in(command.operation)) counters_.bytes_in += command.bytes;
  // The cycles of a cache read are sent just before the data-out of the previous page. A reset cancels this data-out,
  // and the cache read with it.
  if (command.operation == NandOperation::reset) cache_reads_[command.die] = nullptr;
  // The bus stays busy during deliver(), because deliver() may call request() for the next command. The bus is granted
  // after that.
  ends_.deliver(command, now);
  busy_ = false;
  grant(now);
}

void ChannelBus::response_ended(NandCommand&, Tick now) {
  busy_ = false;
  grant(now);
}

}  // namespace nandscape::channel
