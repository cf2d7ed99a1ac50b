// SPDX-License-Identifier: Apache-2.0
// The timeline of the back end: the transfers of the channel buses, the operations of the dies, and the jobs of the ECC
// engines. A monitor in front of each block records what the block does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/timeline/timeline.h"
#include "protocol/ecc_job.h"
#include "protocol/job_socket.h"
#include "protocol/nand_command.h"

namespace nandscape {

class FlashTimeline {
 public:
  // If `timeline` is null, no block is watched, and the functions below return their argument unchanged.
  explicit FlashTimeline(Timeline* timeline) : timeline_(timeline) {}

  // Inserts a monitor in front of `socket`. Returns the socket to which the initiator must be bound instead.
  JobTargetSocket<NandCommand>& channel(JobTargetSocket<NandCommand>& socket, const std::string& name);
  JobTargetSocket<NandCommand>& die(JobTargetSocket<NandCommand>& socket, const std::string& name);
  // Watches the decoder or the encoder of an engine. Both are shown in the row of the engine. `side` makes the name of
  // the monitor unique.
  JobTargetSocket<EccJob>& engine(JobTargetSocket<EccJob>& socket, const std::string& name, const std::string& side);

 private:
  template <class Job, class Watcher>
  JobTargetSocket<Job>& watch(JobTargetSocket<Job>& socket, const std::string& name, Watcher watcher);

  Timeline* const timeline_;
  std::vector<std::unique_ptr<sc_core::sc_module>> monitors_;
};

}  // namespace nandscape
