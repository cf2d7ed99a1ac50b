// SPDX-License-Identifier: Apache-2.0
// Tries the recovery stages from the cheapest to the most expensive, as real drives do: first hard retries, then a
// search for the read voltage with the fewest errors (vref_search.h), and finally soft reads (Zhao et al., FAST 2013)
// at the best step found so far.
#include <algorithm>
#include <array>

#include "controller/reading/policies/vref_search.h"
#include "controller/reading/read_recovery.h"

namespace nandscape::controller {

namespace {

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
            "errors, which follows; 0: no search");
  v.integer("soft_bits", p.soft_bits, {2, 3}, "",
            "bits of the last soft read: 2 bits are 3 sensing levels, 3 bits are 7, which come after 3");
  v.boolean("keep_senses", p.keep_senses, "the read with 7 sensing levels makes only 4 new senses");
}

class RecoveryFlow final : public ReadRecoveryPolicy {
 public:
  using Parameters = RecoveryFlowParameters;
  explicit RecoveryFlow(const Parameters& p) : p_(p) {}

  RecoveryNeeds needs() const override { return {.only_retries = true, .reads_soft = true}; }
  std::optional<ReadStep> next(const PageUnderRecovery& page) override {
    const StepOrder& order = page.order;
    const std::size_t n = page.attempts.size();
    const std::size_t in_order = std::min<std::size_t>(order.size(), p_.hard_retries + 1);
    if (n < in_order) return ReadStep{.retry_step = order[n]};

    VrefSearch search(static_cast<std::uint8_t>(order.size() - 1), p_.search_stride);
    std::size_t known = 0;
    for (; known < in_order; ++known) search.found(order[known], page.attempts[known].errors);
    while (const std::optional<std::uint8_t> probe = search.next()) {
      if (known == n) return ReadStep{.retry_step = *probe, .stage = RecoveryStage::vref_search};
      search.found(*probe, page.attempts[known++].errors);
    }

    const std::size_t soft_reads = n - known;
    if (soft_reads == p_.soft_bits - 1) return std::nullopt;
    return ReadStep{.retry_step = search.best(),
                    .sensing_levels = levels_of_soft_read[soft_reads],
                    .adds_senses = p_.keep_senses && soft_reads > 0};
  }

 private:
  static constexpr std::array levels_of_soft_read = {3, 7};

  const RecoveryFlowParameters p_;
};

}  // namespace

void register_recovery_flow(ReadRecoveryRegistry& registry) {
  registry.add<RecoveryFlow>("recovery_flow",
                             "stage by stage: steps of the retry table, a search for the step with the fewest errors, "
                             "soft reads of 3 and of 7 sensing levels at the best step");
}

}  // namespace nandscape::controller
