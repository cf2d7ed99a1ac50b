// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/read_recovery.h"

#include <algorithm>
#include <array>

#include "controller/reading/vref_search.h"
#include "protocol/nand_command.h"
#include "protocol/sensing_levels.h"

namespace nandscape::controller {

namespace {

// An oracle: each page is read once, at the levels with the fewest errors, so no page needs a retry.
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

struct RecoveryFlowParameters {
  std::uint32_t hard_retries = 254;
  std::uint32_t search_stride = 0;
  std::uint32_t soft_bits = 3;
  bool keep_senses = false;
};

void describe(RecoveryFlowParameters& p, ParameterVisitor& v) {
  v.integer("hard_retries", p.hard_retries, {0, 254}, "",
            "steps of the retry table that are tried in order before the next stage; 254: all");
  v.integer("search_stride", p.search_stride, {0, 254}, "",
            "distance, in steps of the retry table, of the first reads of the search for the step with the fewest "
            "errors, which "
            "follows; 0: no search");
  v.integer("soft_bits", p.soft_bits, {2, 3}, "",
            "bits of the last soft read: 2 bits are 3 sensing levels, 3 bits are 7, which come after 3");
  v.boolean("keep_senses", p.keep_senses, "the read with 7 sensing levels makes only 4 new senses");
}

// Goes from the cheapest stage to the most expensive, as drives do: hard retries, a search for the read voltage, then
// soft reads (Zhao et al., FAST 2013) at the best step known by then.
class RecoveryFlow final : public ReadRecoveryPolicy {
 public:
  using Parameters = RecoveryFlowParameters;
  explicit RecoveryFlow(const Parameters& p) : p_(p) {}

  bool reads_soft() const override { return true; }
  bool learns() const override { return true; }

  std::optional<ReadStep> step_after(const StepOrder& order, std::span<const std::uint16_t> errors) const override {
    const std::size_t n = errors.size();
    const std::size_t in_order = std::min<std::size_t>(order.size(), p_.hard_retries + 1);
    if (n < in_order) return ReadStep{.retry_step = order[static_cast<unsigned>(n)]};

    VrefSearch search(static_cast<std::uint8_t>(order.size() - 1), p_.search_stride);
    std::size_t known = 0;
    for (; known < in_order; ++known) search.found(order[static_cast<unsigned>(known)], errors[known]);
    while (const std::optional<std::uint8_t> probe = search.next()) {
      if (known == n) return ReadStep{.retry_step = *probe, .searches = true};
      search.found(*probe, errors[known++]);
    }

    const std::size_t soft_reads = n - known;
    if (soft_reads == p_.soft_bits - 1) return std::nullopt;
    return ReadStep{.retry_step = search.best(),
                    .sensing_levels = levels_of_soft_read[soft_reads],
                    .adds_senses = p_.keep_senses && soft_reads > 0};
  }

 private:
  static constexpr std::array<std::uint8_t, 2> levels_of_soft_read = {3, 7};

  const RecoveryFlowParameters p_;
};

}  // namespace

bool ReadRetryParameters::adapts_timing() const { return read_recovery_registry().make(policy)->adapts_timing(); }

bool ReadRetryParameters::reads_soft() const { return read_recovery_registry().make(policy)->reads_soft(); }

void describe(ReadRetryParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.adapts_timing(), {"timing_table"}, "policy is not adaptive");
  v.unread_if(!p.pso, {"pso_search"}, "pso is off");
  v.variant("policy", p.policy, read_recovery_registry(), "recovery of a page that cannot be corrected");
  v.boolean("pso", p.pso, "first read pages at the retry step at which pages of their layer and block were last read");
  v.choice("pso_search", p.pso_search,
           {{"outwards", "the steps above and below the first in turn"},
            {"upwards", "the steps above the first, which aged data need; then those below"}},
           "order of the following steps");
  v.text("timing_table", p.timing_table,
         "reductions of the precharge for adaptive steps: a name in platform/read_timing or a file of the same format, "
         "which "
         "`nandscape profile-rpt` makes; empty: the table named as the cell set");
}

// A new policy adds its class above and its registration here.
ReadRecoveryRegistry& read_recovery_registry() {
  static ReadRecoveryRegistry registry("controller.read_retry", [](ReadRecoveryRegistry& r) {
    r.add<NoRecovery>("none",
                      "no retries: each page is read at its levels with the fewest errors, which no real "
                      "controller knows");
    r.add<Regular>("regular", "read again at the next step of the retry table, until one succeeds");
    r.add<Soft>("soft",
                "read again with one more sensing level, for a soft decoder, until one "
                "succeeds; when most_sensing_levels fail, the next step of the retry table is tried in the same "
                "way");
    r.add<RecoveryFlow>("recovery_flow",
                        "stage by stage: steps of the retry table, a search for the step with the fewest errors, "
                        "soft reads of 3 and of 7 sensing levels at the best step");
  });
  return registry;
}

}  // namespace nandscape::controller
