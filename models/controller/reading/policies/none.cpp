// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/read_recovery.h"
#include "protocol/nand_command.h"

namespace nandscape::controller {

namespace {

// An oracle: each page is read once, at the levels with the fewest errors, so that no page needs a retry.
class NoRecovery final : public ReadRecoveryPolicy {
 public:
  using Parameters = NoParameters;
  explicit NoRecovery(const Parameters&) {}

  std::optional<ReadStep> step(const StepOrder&, unsigned n) const override {
    if (n > 0) return std::nullopt;
    return ReadStep{.retry_step = best_levels};
  }
  bool retries() const override { return false; }
};

}  // namespace

void register_no_recovery(ReadRecoveryRegistry& registry) {
  registry.add<NoRecovery>("none",
                           "no retries: each page is read at its levels with the fewest errors, which no real "
                           "controller knows");
}

}  // namespace nandscape::controller
