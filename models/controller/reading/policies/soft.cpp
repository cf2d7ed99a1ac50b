// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/read_recovery.h"
#include "protocol/sensing_levels.h"

namespace nandscape::controller {

namespace {

struct SoftParameters {
  std::uint32_t most_sensing_levels = 7;
  bool keep_senses = false;
};

void describe(SoftParameters& p, ParameterVisitor& v) {
  v.integer("most_sensing_levels", p.most_sensing_levels, {2, nandscape::most_sensing_levels}, "",
            "maximum sensing levels at one step of the retry table");
  v.boolean("keep_senses", p.keep_senses,
            "the senses of a page are kept, and the next read only adds the missing ones; otherwise each read "
            "repeats all of them");
}

// Tries each step with a rising number of sensing levels (Zhao et al., FAST 2013) before the next step.
class Soft final : public ReadRecoveryPolicy {
 public:
  using Parameters = SoftParameters;
  explicit Soft(const Parameters& p) : levels_(p.most_sensing_levels), keeps_senses_(p.keep_senses) {}

  std::optional<ReadStep> step(const StepOrder& order, unsigned n) const override {
    if (n >= order.size() * levels_) return std::nullopt;
    const auto levels = static_cast<std::uint8_t>(n % levels_ + 1);
    return ReadStep{
        .retry_step = order[n / levels_], .sensing_levels = levels, .adds_senses = keeps_senses_ && levels > 1};
  }
  bool reads_soft() const override { return true; }

 private:
  const std::uint32_t levels_;
  const bool keeps_senses_;
};

}  // namespace

void register_soft(ReadRecoveryRegistry& registry) {
  registry.add<Soft>("soft",
                     "read again with one more sensing level, for a soft decoder, until one "
                     "succeeds; when most_sensing_levels fail, the next step of the retry table is tried in the same "
                     "way");
}

}  // namespace nandscape::controller
