// SPDX-License-Identifier: Apache-2.0
// Queues before the channels and engines of a drive, for a controller that wants no order of its own: commands go out
// in the order in which they come, one at a time for each die, and jobs in the order in which they come.
//
// A controller with a scheduler speaks to JobInitiatorPort (protocol/job_port.h) instead.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "platform/wiring/flash_media.h"

namespace nandscape {

class MediaQueues final : public sc_core::sc_module {
 public:
  // Hears of the ends, in events of the calendar.
  class Client {
   public:
    // The die has carried the command out, and its data are here.
    virtual void command_ended(NandCommand& command, Tick now) = 0;
    virtual void job_ended(EccJob& job, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  // Connects itself to all of the media. Facts and client must outlive it.
  MediaQueues(sc_core::sc_module_name name, Calendar& calendar, const DeviceFacts& facts, FlashMedia& media,
              Client& client);
  ~MediaQueues() override;

  // At the calendar's present. A job goes to an engine that serves the channel. Both have to stay where they are until
  // they end, and belong to the client again then.
  void send(ChannelId channel, NandCommand& command);
  void send(ChannelId channel, EccJob& job);

 private:
  class Channel;
  class Unit;

  std::vector<std::unique_ptr<Channel>> channels_;
  std::vector<std::unique_ptr<Unit>> decoders_;
  std::vector<std::unique_ptr<Unit>> encoders_;
};

}  // namespace nandscape
