// SPDX-License-Identifier: Apache-2.0
// The timeline of the media: what the buses of the channels carry, what the dies do, and what the ECC engines code.
// Each monitor stands in front of the block that it watches.
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
  // Null: nothing is watched, and each socket is returned as it is.
  explicit FlashTimeline(Timeline* timeline) : timeline_(timeline) {}

  // Returns the socket to bind to in place of the one given.
  JobTargetSocket<NandCommand>& channel(JobTargetSocket<NandCommand>& socket, const std::string& name);
  JobTargetSocket<NandCommand>& die(JobTargetSocket<NandCommand>& socket, const std::string& name);
  // Of the decoder or of the encoder, each with a name of its own in the row of its engine.
  JobTargetSocket<EccJob>& engine(JobTargetSocket<EccJob>& socket, const std::string& name, const std::string& side);

 private:
  template <class Job, class Watcher>
  JobTargetSocket<Job>& watch(JobTargetSocket<Job>& socket, const std::string& name, Watcher watcher);

  Timeline* const timeline_;
  std::vector<std::unique_ptr<sc_core::sc_module>> monitors_;
};

}  // namespace nandscape
