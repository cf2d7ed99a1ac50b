// SPDX-License-Identifier: Apache-2.0
#include "controller/controller_module.h"

#include <utility>

namespace nandscape::controller {

ControllerModule::ControllerModule(sc_core::sc_module_name name, const ControllerParameters& parameters,
                                   const Geometry& geometry, const FlashFacts& facts, std::uint64_t seed,
                                   Calendar& calendar, StartUp start_up, bool keeps_times)
    : sc_module(name),
      calendar_(calendar),
      times_(keeps_times ? std::make_unique<FlashTimes>(geometry, calendar.now()) : nullptr),
      ftl_({parameters, geometry, facts, seed, start_up, calendar}, *this, *this, times_.get()) {
  for (std::uint32_t channel = 0; channel < geometry.channels; ++channel) {
    const std::string socket = "channel_socket_" + std::to_string(channel);
    channels_.push_back(std::make_unique<ChannelSide>(*this, channel, socket.c_str()));
  }
  make_engines(facts.path, geometry.channels);
}

void ControllerModule::make_engines(const DataPath& path, std::uint32_t channels) {
  for (std::uint32_t engine = 0; engine < path.engine_count(); ++engine) {
    const std::string number = std::to_string(engine);
    decoders_.push_back(std::make_unique<EngineSide>(*this, ("decode_socket_" + number).c_str()));
    encoders_.push_back(std::make_unique<EngineSide>(*this, ("encode_socket_" + number).c_str()));
  }
  codes_ = path.codes.size();
  for (std::uint32_t channel = 0; channel < channels; ++channel) {
    for (const PathCode& code : path.codes) {
      decoder_of_.push_back(decoders_[path.decoder_of(channel, code, false)].get());
      soft_decoder_of_.push_back(decoders_[path.decoder_of(channel, code, true)].get());
      encoder_of_.push_back(encoders_[path.encoder_of(channel, code)].get());
    }
  }
}

void ControllerModule::begin_request(ChannelId channel, NandCommand& command) {
  // A command is given a payload for its first transaction, and uses the same payload for all later transactions.
  if (command.payload == nullptr) [[unlikely]]
    return begin_first_request(channel, command);
  channels_[channel.value]->port.begin_request(command);
}

void ControllerModule::begin_first_request(ChannelId channel, NandCommand& command) {
  command.payload = &commands_.acquire(command);
  channels_[channel.value]->port.begin_request(command);
}

void ControllerModule::end_response(ChannelId channel, NandCommand& command) {
  channels_[channel.value]->port.end_response(command);
}

void ControllerModule::submit(ChannelId channel, EccJob& job) {
  const std::size_t index = channel.value * codes_ + job.code;
  if (job.kind == EccKind::encode) return encoder_of_[index]->submit(job);
  (job.sensing_levels > 1 ? soft_decoder_of_ : decoder_of_)[index]->submit(job);
}

inline void ControllerModule::EngineSide::submit(EccJob& job) {
  if (sending || port.requesting() || job.payload == nullptr) [[unlikely]]
    return wait_or_send(job);
  port.begin_request(job);
}

void ControllerModule::EngineSide::wait_or_send(EccJob& job) {
  if (!sending && !port.requesting()) return send(job);
  job.next = nullptr;
  (first == nullptr ? first : last->next) = &job;
  last = &job;
}

void ControllerModule::EngineSide::send(EccJob& job) {
  sending = true;
  EccJob* next = &job;
  for (;;) {
    if (next->payload == nullptr) [[unlikely]]
      next->payload = &module.jobs_.acquire(*next);
    port.begin_request(*next);
    if (first == nullptr || port.requesting()) break;
    next = &take_first();
  }
  sending = false;
}

bool ControllerModule::EngineSide::response_begins(EccJob& job, Tick now) {
  static_cast<FlashOp*>(job.owner)->coded(now);
  return true;
}

}  // namespace nandscape::controller
