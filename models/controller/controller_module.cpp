// SPDX-License-Identifier: Apache-2.0
#include "controller/controller_module.h"

#include <utility>

namespace nandscape::controller {

ControllerModule::ControllerModule(sc_core::sc_module_name name, const ControllerParameters& parameters,
                                   const Geometry& geometry, const FlashFacts& facts, std::uint64_t seed,
                                   Calendar& calendar, StartUp start_up, bool keeps_times)
    : sc_module(name),
      calendar_(calendar),
      codes_(facts.path.codes),
      engines_(facts.path.engines),
      times_(keeps_times ? std::make_unique<FlashTimes>(geometry, calendar.now()) : nullptr),
      ftl_({parameters, geometry, facts, seed, start_up, calendar}, *this, *this, times_.get()) {
  for (std::uint32_t channel = 0; channel < geometry.channels; ++channel) {
    const std::string socket = "channel_socket_" + std::to_string(channel);
    channels_.push_back(std::make_unique<ChannelSide>(*this, channel, socket.c_str()));
  }
  for (std::uint32_t engine = 0; engine < facts.path.engine_count(); ++engine) {
    const std::string number = std::to_string(engine);
    decoders_.push_back(std::make_unique<EngineSide>(*this, ("decode_socket_" + number).c_str()));
    encoders_.push_back(std::make_unique<EngineSide>(*this, ("encode_socket_" + number).c_str()));
  }
}

void ControllerModule::begin_request(ChannelId channel, NandCommand& command) {
  // A command keeps the payload that it gets for its first transaction, and reuses it.
  if (command.payload == nullptr) command.payload = &commands_.acquire(command);
  channels_[channel.value]->port.begin_request(*command.payload, command);
}

void ControllerModule::end_response(ChannelId channel, NandCommand& command) {
  channels_[channel.value]->port.end_response(*command.payload, command);
}

void ControllerModule::submit(ChannelId channel, EccJob& job) {
  std::size_t engine = 0;
  const std::uint32_t group = codes_[job.code].engines;
  for (std::uint32_t k = 0; k < group; ++k) engine += engines_[k].engines();
  if (job.kind == EccKind::decode) {
    decoders_[engine + channel.value % engines_[group].decoders]->submit(job);
  } else {
    encoders_[engine + channel.value % engines_[group].encoders]->submit(job);
  }
}

void ControllerModule::EngineSide::submit(EccJob& job) {
  job.next = nullptr;
  (first == nullptr ? first : last->next) = &job;
  last = &job;
  send_waiting();
}

void ControllerModule::EngineSide::send_waiting() {
  if (std::exchange(sending, true)) return;
  while (first != nullptr && !port.requesting()) {
    EccJob& job = *first;
    first = job.next;
    port.begin_request(module.jobs_.acquire(job), job);
  }
  sending = false;
}

bool ControllerModule::EngineSide::response_begins(EccJob& job, Tick now) {
  static_cast<FlashOp*>(job.owner)->coded(now);
  return true;
}

void ControllerModule::ChannelSide::request_ended(NandCommand& command, Tick now) {
  if (request_ends_by_itself(command)) module.ftl_.scheduler().request_ended(channel, command, now);
}

bool ControllerModule::ChannelSide::response_begins(NandCommand& command, Tick now) {
  const bool over = completed_in_the_call(command);  // read now: the call below may send the command again
  module.ftl_.scheduler().response_begins(channel, command, now);
  return over;
}

}  // namespace nandscape::controller
