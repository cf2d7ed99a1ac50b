// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/read_recovery.h"

namespace nandscape::controller {

namespace {

// Every step is a read of its own, which starts when the one before it has failed (Park et al., ASPLOS 2021, equation
// 3) and waits its turn.
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
