// SPDX-License-Identifier: Apache-2.0
// Executes the admin command set.
#pragma once

#include "host/nvme/async_events.h"
#include "host/nvme/command_set.h"
#include "host/nvme/controller_parts.h"
#include "host/nvme/data_transfers.h"
#include "host/nvme/fetch_unit.h"
#include "host/nvme/host_memory_buffer.h"

namespace nandscape::host {

class AdminCommands final : private FetchedDataClient {
 public:
  AdminCommands(ControllerParts& parts, FetchUnit& fetch, AsyncEvents& events, DataTransfers& transfers,
                HostMemoryBuffer& buffer, const CommandSet& set)
      : parts_(parts), fetch_(fetch), events_(events), transfers_(transfers), buffer_(buffer), set_(set) {
    transfers.set_admin(*this);
  }

  void start(Command& command);

 private:
  // These functions execute one command and return the status with which it completes.
  nvme::Status create_completion_queue(const Command& command);
  nvme::Status create_submission_queue(const Command& command);
  nvme::Status delete_submission_queue(const Command& command);
  nvme::Status delete_completion_queue(const Command& command);
  nvme::Status get_features(Command& command);
  nvme::Status set_features(Command& command);
  void power_state_reached(Command& command);
  void data_fetched(Command& command) override;
  nvme::Status abort(Command& command);
  // These functions also store the data for the host in command.data.
  nvme::Status identify(Command& command);
  nvme::Status get_log_page(Command& command);

  // Whether the command gets or sets the feature Host Memory Buffer, and the controller supports it.
  bool concerns_buffer(const Command& command) const {
    return static_cast<nvme::Feature>(command.entry.cdw10 & 0xff) == nvme::Feature::host_memory_buffer &&
           buffer_.supported();
  }
  bool valid_id(std::uint32_t queue) const { return queue != 0 && queue <= parts_.features.io_queues_granted(); }

  ControllerParts& parts_;
  FetchUnit& fetch_;
  AsyncEvents& events_;
  DataTransfers& transfers_;
  HostMemoryBuffer& buffer_;
  const CommandSet& set_;
};

}  // namespace nandscape::host
