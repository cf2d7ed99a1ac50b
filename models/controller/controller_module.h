// SPDX-License-Identifier: Apache-2.0
// The controller and its TLM sockets: one for each channel, and two for each ECC engine.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "controller/ftl.h"
#include "protocol/job_port.h"

namespace nandscape::controller {

class ControllerModule final : public sc_core::sc_module, private FlashScheduler::Port, private EccPort {
 public:
  ControllerModule(sc_core::sc_module_name name, const ControllerParameters& parameters, const Geometry& geometry,
                   const FlashFacts& facts, std::uint64_t seed, Calendar& calendar,
                   StartUp start_up = StartUp::as_preconditioned, bool keeps_times = false);

  JobInitiatorSocket<NandCommand>& channel_socket(std::uint32_t channel) { return channels_[channel]->port.socket; }
  JobInitiatorSocket<EccJob>& decode_socket(std::uint32_t engine) { return decoders_[engine]->port.socket; }
  JobInitiatorSocket<EccJob>& encode_socket(std::uint32_t engine) { return encoders_[engine]->port.socket; }

  Ftl& ftl() { return ftl_; }
  const Ftl& ftl() const { return ftl_; }

 private:
  // The connection to one channel.
  struct ChannelSide final {
    ChannelSide(ControllerModule& owner, std::uint32_t number, const char* name)
        : scheduler(owner.ftl_.scheduler()), channel(number), port(name, owner.calendar_, *this) {}

    // Called by the port.
    void request_ended(NandCommand& command, Tick now) {
      if (request_ends_by_itself(command)) scheduler.request_ended(channel, command, now);
    }
    bool response_begins(NandCommand& command, Tick now) { return scheduler.response_begins(channel, command, now); }
    void job_over(tlm::tlm_generic_payload&) {}  // nothing to release: a command uses the same payload again

    FlashScheduler& scheduler;
    ChannelId channel;
    JobInitiatorPort<NandCommand, ChannelSide> port;
  };

  // The connection to the decoder or the encoder of an ECC engine. Jobs wait here while the FIFO of the engine is full.
  struct EngineSide final {
    EngineSide(ControllerModule& owner, const char* name) : module(owner), port(name, owner.calendar_, *this) {}

    void submit(EccJob& job);
    // Sends the job if no request is open. Otherwise the job waits.
    [[gnu::noinline]] void wait_or_send(EccJob& job);
    // Sends the job and then the waiting jobs in order, until no job is left or the engine does not accept a request
    // immediately. Must not be called while it runs.
    void send(EccJob& job);
    EccJob& take_first() { return *std::exchange(first, first->next); }

    // Called by the port.
    void request_ended(EccJob&, Tick) {
      if (!sending && first != nullptr) send(take_first());
    }
    bool response_begins(EccJob& job, Tick now);
    void job_over(tlm::tlm_generic_payload&) {}  // nothing to release: a job uses the same payload again

    ControllerModule& module;
    JobInitiatorPort<EccJob, EngineSide> port;
    bool sending = false;  // send() is running
    // The jobs that wait. There are none unless send() is running or a request has not ended.
    EccJob* first = nullptr;
    EccJob* last = nullptr;
  };

  void begin_request(ChannelId channel, NandCommand& command) override;
  [[gnu::noinline]] void begin_first_request(ChannelId channel, NandCommand& command);
  void end_response(ChannelId channel, NandCommand& command) override;
  void submit(ChannelId channel, EccJob& job) override;

  // Creates an EngineSide for each decoder and encoder, and determines which of them serves each combination of channel
  // and code.
  void make_engines(const DataPath& path, std::uint32_t channels);

  Calendar& calendar_;
  JobPayloadPool<NandCommand> commands_;
  JobPayloadPool<EccJob> jobs_;
  std::vector<std::unique_ptr<ChannelSide>> channels_;
  std::vector<std::unique_ptr<EngineSide>> decoders_;
  std::vector<std::unique_ptr<EngineSide>> encoders_;
  // The decoder of hard reads, that of soft reads and the encoder for each channel and code. The index is
  // channel * codes_ + code.
  std::vector<EngineSide*> decoder_of_;
  std::vector<EngineSide*> soft_decoder_of_;
  std::vector<EngineSide*> encoder_of_;
  std::size_t codes_ = 0;
  const std::unique_ptr<FlashTimes> times_;  // null unless latency parts are recorded
  Ftl ftl_;
};

}  // namespace nandscape::controller
