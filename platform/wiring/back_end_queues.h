// SPDX-License-Identifier: Apache-2.0
// Queues in front of the channels and engines of a drive, for a controller without its own scheduling. Commands are
// sent in the order of their arrival, and each die executes one at a time. Jobs are also sent in the order of their
// arrival.
//
// A controller with a scheduler uses JobInitiatorPort (protocol/job_port.h) instead.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "platform/wiring/flash_back_end.h"

namespace nandscape {

class BackEndQueues final : public sc_core::sc_module {
 public:
  // Is notified, in calendar events, when commands and jobs have ended.
  class Client {
   public:
    // Called when the die has executed the command and the data have arrived.
    virtual void command_ended(NandCommand& command, Tick now) = 0;
    virtual void job_ended(EccJob& job, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  // Creates the queues and connects them to all channels and engines of the back end. `facts` and `client` must outlive
  // this object.
  BackEndQueues(sc_core::sc_module_name name, Calendar& calendar, const DeviceFacts& facts, FlashBackEnd& back_end,
                Client& client);
  ~BackEndQueues() override;

  // These functions send a command or a job at the calendar's current time. A job is sent to an engine that serves the
  // channel. The command or job must stay at its address until the client is notified that it has ended. Afterwards it
  // belongs to the client again.
  void send(ChannelId channel, NandCommand& command);
  void send(ChannelId channel, EccJob& job);

 private:
  class Channel;
  class Unit;

  const controller::DataPath& path_;
  std::vector<std::unique_ptr<Channel>> channels_;
  std::vector<std::unique_ptr<Unit>> decoders_;
  std::vector<std::unique_ptr<Unit>> encoders_;
};

}  // namespace nandscape
