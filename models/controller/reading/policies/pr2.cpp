// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/read_recovery.h"

namespace nandscape::controller {

namespace {

// Pipelined read-retry (Park et al., ASPLOS 2021, section 6.1, equation 4).
class PipelinedRetry final : public ReadRecoveryPolicy {
 public:
  using Parameters = NoParameters;
  explicit PipelinedRetry(const Parameters&) {}

  bool locks_die() const override { return true; }
  bool pipelines() const override { return true; }
};

}  // namespace

void register_pr2(ReadRecoveryRegistry& registry) {
  registry.add<PipelinedRetry>("pr2",
                               "as regular, but each step is sensed while the previous one is transferred and decoded");
}

}  // namespace nandscape::controller
