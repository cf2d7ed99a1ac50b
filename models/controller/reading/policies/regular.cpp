// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/read_recovery.h"

namespace nandscape::controller {

namespace {

struct RegularParameters {
  bool pipelined = false;
  bool adaptive = false;
};

void describe(RegularParameters& p, ParameterVisitor& v) {
  v.boolean("pipelined", p.pipelined, "PR2: a step is sensed while the previous one is transferred and decoded");
  v.boolean("adaptive", p.adaptive, "AR2: the precharge of the steps is shortened as far as timing_table allows");
}

// Each step is a separate read, which is queued when the previous one has failed (Park et al., ASPLOS 2021, equation
// 3). Pipelined (section 6.1, equation 4) and adaptive steps (section 6.2, equation 5) lock the die.
class Regular final : public ReadRecoveryPolicy {
 public:
  using Parameters = RegularParameters;
  explicit Regular(const Parameters& p) : p_(p) {}

  bool locks_die() const override { return p_.pipelined || p_.adaptive; }
  bool pipelines() const override { return p_.pipelined; }
  bool adapts_timing() const override { return p_.adaptive; }

 private:
  const RegularParameters p_;
};

}  // namespace

void register_regular(ReadRecoveryRegistry& registry) {
  registry.add<Regular>("regular", "read again at the next step of the retry table, until one succeeds");
}

}  // namespace nandscape::controller
