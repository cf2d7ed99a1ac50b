// SPDX-License-Identifier: Apache-2.0
#include "channel/channel_bus.h"

#include "core/error.h"

namespace nandscape {

ChannelBus::ChannelBus(Calendar& calendar, const BusTiming& timing, BusArbitration arbitration, std::uint32_t dies,
                       Ends& ends)
    : calendar_(calendar),
      timing_(timing),
      arbitration_(arbitration),
      ends_(ends),
      waiting_(dies),
      cache_read_busy_(dies, never) {}

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
  cache_read_busy_[command.die] = command.response_time;
}

void ChannelBus::response_ready(NandCommand& command, Tick now) {
  if (!busy_) {
    begin(command, now);
    return;
  }
  waiting_[(first_waiting_ + waiting_count_) % waiting_.size()] = &command;
  ++waiting_count_;
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
    first_waiting_ = (first_waiting_ + 1) % waiting_.size();
    --waiting_count_;
    begin(response, now);
  }
}

void ChannelBus::begin(NandCommand& response, Tick now) {
  busy_ = true;
  response.response_time = timing_.response(response);
  if (Tick& register_busy = cache_read_busy_[response.die]; register_busy != never) {
    const Tick cycles = timing_.request(NandCommand{});
    response.cache_read_confirmed = now + cycles;
    response.response_time += cycles + register_busy;
    register_busy = never;
  }
  counters_.busy += response.response_time;
  if (response.operation == NandOperation::read) counters_.bytes_out += response.bytes;
  ends_.begin_response(response, now);
}

void ChannelBus::request_ended(std::uint64_t) {
  const Tick now = calendar_.now();
  NandCommand& command = *requesting_;
  requesting_ = nullptr;
  ++counters_.commands;
  if (command.operation == NandOperation::program) counters_.bytes_in += command.bytes;
  // Whoever hears that the command is over may send the next one; only then is the bus given away.
  ends_.deliver(command, now);
  busy_ = false;
  grant(now);
}

void ChannelBus::response_ended(NandCommand&, Tick now) {
  busy_ = false;
  grant(now);
}

}  // namespace nandscape
