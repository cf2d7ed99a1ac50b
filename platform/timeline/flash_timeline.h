// SPDX-License-Identifier: Apache-2.0
// The timeline of the back end: transfers of the channel buses, operations of the dies, and jobs of the ECC engines.
// Each monitor is inserted in front of the block that it watches.
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
  // If `timeline` is null, nothing is watched, and the functions below return their argument.
  explicit FlashTimeline(Timeline* timeline) : timeline_(timeline) {}

  // Returns the socket to bind to instead of `socket`.
  JobTargetSocket<NandCommand>& channel(JobTargetSocket<NandCommand>& socket, const std::string& name);
  JobTargetSocket<NandCommand>& die(JobTargetSocket<NandCommand>& socket, const std::string& name);
  // Watches a decoder or an encoder, both shown in the row of their engine; `side` makes the monitor's name unique.
  JobTargetSocket<EccJob>& engine(JobTargetSocket<EccJob>& socket, const std::string& name, const std::string& side);

 private:
  template <class Job, class Watcher>
  JobTargetSocket<Job>& watch(JobTargetSocket<Job>& socket, const std::string& name, Watcher watcher);

  Timeline* const timeline_;
  std::vector<std::unique_ptr<sc_core::sc_module>> monitors_;
};

}  // namespace nandscape
