// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/read_recovery.h"

#include <array>
#include <set>

#include "controller/reading/start_step.h"
#include "core/error.h"
#include "protocol/nand_command.h"
#include "protocol/sensing_levels.h"

namespace nandscape::controller {

namespace {

// An oracle: each page is read only once, at the read levels with the fewest errors, so no page needs a retry. No real
// controller knows these levels.
class NoRecovery final : public ReadRecoveryPolicy {
 public:
  using Parameters = NoParameters;
  explicit NoRecovery(const Parameters&) {}

  RecoveryNeeds needs() const override { return {.oracle = true}; }
  std::optional<ReadStep> next(const PageUnderRecovery& page) override {
    if (!page.attempts.empty()) return std::nullopt;
    return ReadStep{.retry_step = best_levels};
  }
};

struct RegularParameters {
  bool pipelined = false;
  bool adaptive = false;
};

void describe(RegularParameters& p, ParameterVisitor& v) {
  v.boolean("pipelined", p.pipelined, "PR2: a step is sensed while the previous one is transferred and decoded");
  v.boolean("adaptive", p.adaptive, "AR2: the precharge of the steps is shortened as far as timing_table allows");
}

// Tries the steps of the retry table one after another. Each step is a separate read that is enqueued when the previous
// read has failed (Park et al., ASPLOS 2021, equation 3). Pipelined steps (section 6.1, equation 4) and adaptive steps
// (section 6.2, equation 5) are not enqueued separately, but lock the die.
class Regular final : public ReadRecoveryPolicy {
 public:
  using Parameters = RegularParameters;
  explicit Regular(const Parameters& p) : p_(p) {}

  RecoveryNeeds needs() const override {
    return {.locks_die = p_.pipelined || p_.adaptive, .adapts_timing = p_.adaptive, .only_retries = !p_.pipelined};
  }
  std::optional<ReadStep> next(const PageUnderRecovery& page) override {
    const std::size_t n = page.attempts.size();
    if (n >= page.order.size()) return std::nullopt;
    return ReadStep{.retry_step = page.order[n], .pipelined = p_.pipelined};
  }

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

// Reads the page at each step of the retry table with one sensing level first, and then with one more level in each
// read (Zhao et al., FAST 2013). Proceeds to the next step when the maximum number of levels has failed.
class Soft final : public ReadRecoveryPolicy {
 public:
  using Parameters = SoftParameters;
  explicit Soft(const Parameters& p) : levels_(p.most_sensing_levels), keeps_senses_(p.keep_senses) {}

  RecoveryNeeds needs() const override { return {.only_retries = true, .reads_soft = true}; }
  std::optional<ReadStep> next(const PageUnderRecovery& page) override {
    const std::size_t n = page.attempts.size();
    if (n >= page.order.size() * levels_) return std::nullopt;
    const int levels = static_cast<int>(n % levels_) + 1;
    return ReadStep{
        .retry_step = page.order[n / levels_], .sensing_levels = levels, .adds_senses = keeps_senses_ && levels > 1};
  }

 private:
  const std::uint32_t levels_;
  const bool keeps_senses_;
};

}  // namespace

std::span<const StageName> known_stages() {
  static const std::array<StageName, static_cast<std::size_t>(RecoveryStage::own)> stages = {{
      {"first_read", "first reads of pages"},
      {"hard_retry", "hard reads at other steps of the retry table"},
      {"vref_search", "hard reads that search the step with the fewest errors"},
      {"soft_2bit", "soft reads of 2 and 3 sensing levels"},
      {"soft_3bit", "soft reads of 4 and more sensing levels"},
      {"last_resort", "pages rebuilt from others by parity"},
  }};
  return stages;
}

ReadRecovery::ReadRecovery(const VariantChoice& policy)
    : name_(policy.name), policy_(read_recovery_registry().make(policy)), needs_(policy_->needs()) {
  const auto contradicts = [&](const std::string& what) {
    throw ConfigError({}, "controller.read_retry.policy", name_ + " " + what);
  };
  if (needs_.adapts_timing && !needs_.locks_die) {
    contradicts(
        "adapts the timing of its retries and does not lock the die: reads of other pages would be sensed with the "
        "shortened precharge, too; set locks_die");
  }
  if (needs_.stages.size() > most_own_stages) {
    contradicts("names " + std::to_string(needs_.stages.size()) + " stages; it names at most " +
                std::to_string(most_own_stages));
  }
  std::set<std::string> names;
  for (const StageName& known : known_stages()) names.insert(known.name);
  for (const StageName& stage : needs_.stages) {
    const bool word = stage.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
    if (!word || stage.name.empty()) {
      contradicts("names the stage '" + stage.name + "'; names of stages consist of a-z, 0-9 and _");
    }
    if (!names.insert(stage.name).second) contradicts("names the stage " + stage.name + ", which there is already");
  }
}

void ReadRecovery::refuse(const std::string& answer, const std::string& instead) const {
  throw Error(name_ + ".next() returned " + answer + "; " + instead);
}

void ReadRecovery::check(ReadStep step, const PageUnderRecovery& page) const {
  const auto refuse_levels = [&](const std::string& what, const std::string& instead) {
    refuse(std::to_string(step.sensing_levels) + " sensing levels" + what, instead);
  };
  const std::size_t reads = page.attempts.size();
  // A policy that never gives up is an error. The limit allows two reads for each combination of retry step and number
  // of sensing levels.
  if (reads >= std::size_t{2} * page.order.size() * most_sensing_levels) {
    refuse("step " + std::to_string(step.retry_step) + " for a page that has been read " + std::to_string(reads) +
               " times",
           "it returns nothing (None) to give up");
  }
  const bool in_table = step.retry_step >= 0 && step.retry_step < static_cast<int>(page.order.size());
  if (!in_table && !(needs_.oracle && step.retry_step == best_levels)) {
    refuse("step " + std::to_string(step.retry_step),
           "the retry table has the steps 0 to " + std::to_string(page.order.size() - 1));
  }
  if (step.sensing_levels != 1 && !needs_.reads_soft) {
    refuse_levels("", "there are more than 1 only where reads_soft is set");
  }
  if (step.sensing_levels < 1 || step.sensing_levels > static_cast<int>(most_sensing_levels)) {
    refuse_levels("", "there are 1 to " + std::to_string(most_sensing_levels));
  }
  const int earlier = page.attempts.empty() ? 0 : page.attempts.back().step.sensing_levels;
  if (step.adds_senses && (earlier == 0 || step.sensing_levels <= earlier)) {
    refuse_levels(" that add to those of the read before, " +
                      (earlier == 0 ? "and there was none" : "which were " + std::to_string(earlier) + " already"),
                  "senses are added to fewer");
  }
  if (step.pipelined && !needs_.locks_die) {
    refuse("a pipelined read", "reads are pipelined only where retries lock their die; set locks_die");
  }
  const bool named = step.stage < own_stage(needs_.stages.size()) && step.stage != RecoveryStage::last_resort;
  if (!named && step.stage != RecoveryStage::by_levels) {
    refuse("stage " + std::to_string(static_cast<int>(step.stage)),
           "it returns one of the stages that it states, or one of a policy's reads");
  }
}

bool ReadRetryParameters::predicts_start() const { return start_step_registry().traits(start).predicts; }

void describe(ReadRetryParameters& p, ParameterVisitor& v) {
  v.unread_if(!read_recovery_registry().make(p.policy)->needs().adapts_timing, {"timing_table"},
              "policy is not adaptive");
  v.unread_if(!p.predicts_start(), {"step_order"}, "start is default_levels");
  v.variant("policy", p.policy, read_recovery_registry(), "recovery of a page that cannot be corrected");
  v.variant("start", p.start, start_step_registry(), "step of the retry table at which a page is first read");
  v.choice("step_order", p.step_order,
           {{"outwards", "the steps above and below the first in turn"},
            {"upwards", "the steps above the first, which aged data need; then those below"}},
           "order of the steps after the start");
  v.text("timing_table", p.timing_table,
         "reductions of the precharge for adaptive steps: a name in platform/read_timing or a file of the same format, "
         "which `nandscape profile-rpt` makes; empty: the table named as the cell set");
}

// To add a policy, define its class above and register it in read_recovery_registry() below. A large policy has
// separate files in policies/ and a registration function such as this one.
void register_recovery_flow(ReadRecoveryRegistry& registry);

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
    register_recovery_flow(r);
  });
  return registry;
}

}  // namespace nandscape::controller
