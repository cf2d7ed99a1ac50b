// SPDX-License-Identifier: Apache-2.0
// The links between the blocks of a drive. A protocol checker sits in each one to or from a block with processes of its
// own, and in all of them where the configuration says so.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "protocol/ecc_job.h"
#include "protocol/nand_command.h"
#include "protocol/protocol_checker.h"

namespace nandscape {

class Links {
 public:
  explicit Links(bool check_all) : check_all_(check_all) {}

  template <class Job>
  void connect(JobInitiatorSocket<Job>& initiator, JobTargetSocket<Job>& target, const std::string& checker,
               bool foreign) {
    if (!check_all_ && !foreign) {
      initiator.bind(target);
      return;
    }
    Checkers<Job>& made = checkers<Job>();
    made.push_back(std::make_unique<ProtocolChecker<JobProtocol<Job>>>(checker.c_str()));
    initiator.bind(made.back()->target);
    made.back()->initiator.bind(target);
  }

  // Whether transactions are on a link that is watched, and their histories.
  bool busy() const;
  std::string outstanding() const;

 private:
  template <class Job>
  using Checkers = std::vector<std::unique_ptr<ProtocolChecker<JobProtocol<Job>>>>;

  template <class Job>
  Checkers<Job>& checkers();

  const bool check_all_;
  Checkers<NandCommand> commands_;
  Checkers<EccJob> jobs_;
};

template <>
inline Links::Checkers<NandCommand>& Links::checkers<NandCommand>() {
  return commands_;
}
template <>
inline Links::Checkers<EccJob>& Links::checkers<EccJob>() {
  return jobs_;
}

}  // namespace nandscape
