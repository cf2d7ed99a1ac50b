// SPDX-License-Identifier: Apache-2.0
// The controller on its TLM sockets: one to each channel, and two to each ECC engine.
#pragma once

#include <memory>
#include <vector>

#include "controller/ftl.h"
#include "protocol/job_socket.h"

namespace nandscape::controller {

class ControllerModule final : public sc_core::sc_module, private FlashScheduler::Port, private EccPort {
 public:
  ControllerModule(sc_core::sc_module_name name, const ControllerParameters& parameters, const Geometry& geometry,
                   const DataPath& path, std::uint64_t seed, Calendar& calendar,
                   StartUp start_up = StartUp::as_preconditioned);

  JobInitiatorSocket<NandCommand>& channel_socket(std::uint32_t channel) { return channels_[channel]->socket; }
  JobInitiatorSocket<EccJob>& decode_socket(std::uint32_t engine) { return decoders_[engine]->socket; }
  JobInitiatorSocket<EccJob>& encode_socket(std::uint32_t engine) { return encoders_[engine]->socket; }

  Ftl& ftl() { return ftl_; }
  const Ftl& ftl() const { return ftl_; }

 private:
  // The backward path of one channel.
  struct ChannelSide final : JobBackward<NandCommand> {
    ChannelSide(ControllerModule& owner, std::uint32_t channel, const char* name);
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    ControllerModule& module;
    ChannelId channel;
    JobInitiatorSocket<NandCommand> socket;
  };

  // The way to the decoder or the encoder of an engine. Jobs that its FIFO has no room for wait here.
  struct EngineSide final : JobBackward<EccJob> {
    EngineSide(ControllerModule& owner, const char* name);
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    void submit(EccJob& job);
    // Until a request is left unanswered, or no job waits.
    void send_waiting();

    ControllerModule& module;
    JobInitiatorSocket<EccJob> socket;
    bool requesting = false;
    EccJob* first = nullptr;
    EccJob* last = nullptr;
  };

  void begin_request(ChannelId channel, NandCommand& command) override;
  void end_response(ChannelId channel, NandCommand& command) override;
  void submit(ChannelId channel, EccJob& job) override;

  Calendar& calendar_;
  // Of the engines, group by group.
  const std::vector<PathCode> codes_;
  const std::vector<EngineGroup> engines_;
  JobPayloadPool<NandCommand> commands_;
  JobPayloadPool<EccJob> jobs_;
  std::vector<std::unique_ptr<ChannelSide>> channels_;
  std::vector<std::unique_ptr<EngineSide>> decoders_;
  std::vector<std::unique_ptr<EngineSide>> encoders_;
  Ftl ftl_;
};

}  // namespace nandscape::controller
