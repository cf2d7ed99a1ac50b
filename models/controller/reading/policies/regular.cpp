// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/read_recovery.h"

namespace nandscape::controller {

namespace {

// Each step is a separate read, which is queued when the previous one has failed (Park et al., ASPLOS 2021, equation
// 3).
class Regular final : public ReadRecoveryPolicy {
 public:
  using Parameters = NoParameters;
  explicit Regular(const Parameters&) {}
};

}  // namespace

void register_regular(ReadRecoveryRegistry& registry) {
  registry.add<Regular>("regular", "read again at the next step of the retry table, until one succeeds");
}

}  // namespace nandscape::controller
