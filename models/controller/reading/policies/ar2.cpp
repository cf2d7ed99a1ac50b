// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/read_recovery.h"

namespace nandscape::controller {

namespace {

// Adaptive read-retry (Park et al., ASPLOS 2021, section 6.2, equation 5).
class AdaptiveRetry final : public ReadRecoveryPolicy {
 public:
  using Parameters = NoParameters;
  explicit AdaptiveRetry(const Parameters&) {}

  bool locks_die() const override { return true; }
  bool adapts_timing() const override { return true; }
};

}  // namespace

void register_ar2(ReadRecoveryRegistry& registry) {
  registry.add<AdaptiveRetry>("ar2",
                              "as regular, with the precharge of the steps shortened as far as timing_table allows");
}

}  // namespace nandscape::controller
