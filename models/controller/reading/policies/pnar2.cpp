// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/read_recovery.h"

namespace nandscape::controller {

namespace {

// Pipelined and adaptive read-retry (Park et al., ASPLOS 2021, section 6).
class PipelinedAdaptiveRetry final : public ReadRecoveryPolicy {
 public:
  using Parameters = NoParameters;
  explicit PipelinedAdaptiveRetry(const Parameters&) {}

  bool locks_die() const override { return true; }
  bool pipelines() const override { return true; }
  bool adapts_timing() const override { return true; }
};

}  // namespace

void register_pnar2(ReadRecoveryRegistry& registry) { registry.add<PipelinedAdaptiveRetry>("pnar2", "pr2 and ar2"); }

}  // namespace nandscape::controller
