// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/back_end_queues.h"

#include <algorithm>
#include <deque>
#include <string>

#include "protocol/job_port.h"

namespace nandscape {

// The queue of the commands for one channel, and the port through which they are sent.
class BackEndQueues::Channel {
 public:
  Channel(const std::string& name, Calendar& calendar, Client& client, std::uint32_t dies)
      : port(name.c_str(), calendar, *this), calendar_(calendar), client_(client), busy_(dies) {}

  JobInitiatorPort<NandCommand, Channel> port;

  void send(NandCommand& command) {
    waiting_.push_back(&command);
    send_waiting();
  }

 private:
  friend class JobInitiatorPort<NandCommand, Channel>;

  void send_waiting() {
    while (!port.requesting()) {
      const auto next = std::ranges::find_if(waiting_, [this](const NandCommand* c) { return !busy_[c->die]; });
      if (next == waiting_.end()) return;
      NandCommand& command = **next;
      waiting_.erase(next);
      busy_[command.die] = true;
      command.payload = &pool_.acquire(command);
      port.begin_request(command);
    }
  }

  // Called by the port when the channel has accepted a command, so that the next command can be sent.
  void request_ended(NandCommand&, Tick) { send_waiting(); }
  bool response_begins(NandCommand& command, Tick now) {
    calendar_.schedule<&Channel::response_ends>(now + command.response_time, *this, command);
    return completed_in_the_call(command);
  }
  void job_over(tlm::tlm_generic_payload& payload) { payload.release(); }

  void response_ends(NandCommand& command) {
    busy_[command.die] = false;
    if (!completed_in_the_call(command)) port.end_response(command);
    send_waiting();
    client_.command_ended(command, calendar_.now());
  }

  Calendar& calendar_;
  Client& client_;
  JobPayloadPool<NandCommand> pool_;
  std::deque<NandCommand*> waiting_;
  IdVector<DieInChannel, bool> busy_;
};

// The queue of the jobs for one encoder or decoder of an engine, and the port through which they are sent.
class BackEndQueues::Unit {
 public:
  Unit(const std::string& name, Calendar& calendar, Client& client)
      : port(name.c_str(), calendar, *this), client_(client) {}

  JobInitiatorPort<EccJob, Unit> port;

  void send(EccJob& job) {
    waiting_.push_back(&job);
    send_waiting();
  }

 private:
  friend class JobInitiatorPort<EccJob, Unit>;

  void send_waiting() {
    while (!waiting_.empty() && !port.requesting()) {
      EccJob& job = *waiting_.front();
      waiting_.pop_front();
      job.payload = &pool_.acquire(job);
      port.begin_request(job);
    }
  }

  // Called by the port when the engine has accepted a job, so that the next job can be sent.
  void request_ended(EccJob&, Tick) { send_waiting(); }
  bool response_begins(EccJob& job, Tick now) {
    client_.job_ended(job, now);
    return true;
  }
  void job_over(tlm::tlm_generic_payload& payload) { payload.release(); }

  Client& client_;
  JobPayloadPool<EccJob> pool_;
  std::deque<EccJob*> waiting_;
};

BackEndQueues::BackEndQueues(sc_core::sc_module_name name, Calendar& calendar, const DeviceFacts& facts,
                             FlashBackEnd& back_end, Client& client)
    : sc_module(name), path_(facts.flash.path) {
  for (std::uint32_t c = 0; c < facts.geometry.channels; ++c) {
    channels_.push_back(std::make_unique<Channel>("channel_socket_" + std::to_string(c), calendar, client,
                                                  facts.geometry.dies_per_channel()));
    back_end.connect_channel(c, channels_.back()->port.socket);
  }
  for (std::uint32_t e = 0; e < facts.flash.path.engine_count(); ++e) {
    decoders_.push_back(std::make_unique<Unit>("decode_socket_" + std::to_string(e), calendar, client));
    encoders_.push_back(std::make_unique<Unit>("encode_socket_" + std::to_string(e), calendar, client));
    back_end.connect_engine(e, decoders_.back()->port.socket, encoders_.back()->port.socket);
  }
}

BackEndQueues::~BackEndQueues() = default;

void BackEndQueues::send(ChannelId channel, NandCommand& command) { channels_[channel.value]->send(command); }

void BackEndQueues::send(ChannelId channel, EccJob& job) {
  const controller::PathCode& code = path_.codes[job.code];
  if (job.kind == EccKind::encode) return encoders_[path_.encoder_of(channel.value, code)]->send(job);
  decoders_[path_.decoder_of(channel.value, code, job.sensing_levels > 1)]->send(job);
}

}  // namespace nandscape
