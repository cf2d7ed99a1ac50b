// SPDX-License-Identifier: Apache-2.0
// The refresh policy `ida`, invalid-data-aware coding [Choi 2018]. IdaRenewal (ida_renewal.h) does the work.
#include "controller/ida/ida_renewal.h"
#include "controller/ida/wordline_choice.h"
#include "controller/migration/refresh_policy.h"

namespace nandscape::controller {

void describe(IdaParameters& p, ParameterVisitor& v) {
  v.real("period_days", p.period_days, {1e-9, 36'500}, "days",
         "age at which data are refreshed, in days at 30 C; for data that stayed at a refresh, counted "
         "from that refresh");
  v.real("error_rate", p.error_rate, {0, 1}, "",
         "share of the adjusted pages that are assumed to be corrupted, whatever is read back");
  v.real("write_back_error_fraction", p.write_back_error_fraction, {0, 1}, "",
         "share of a codeword's correctable errors from which an adjusted page is written elsewhere");
  v.choice("wordlines", p.wordlines,
           {{"all", "each wordline whose page with the most senses is valid"},
            {"repaying",
             "of these, wordlines whose reads, at the rate so far, gain more time until the next refresh than "
             "their adjustment costs; needs controller.read_disturb.limit_reads"}},
           "wordlines that are adjusted");
}

namespace {

class Ida final : public RefreshPolicy {
 public:
  using Parameters = IdaParameters;

  static constexpr Traits traits{.adjusts_wordlines = true};

  Ida(const Parameters& p, const RefreshContext& context)
      : parameters_(p), choice_(p.wordlines, context), period_hours_(p.period_days * 24) {}

  bool due(const BlockAge& block) const override { return block.hours_since_renewal >= period_hours_; }

  std::unique_ptr<BlockRenewal> make_renewal(const RenewalContext& context) const override {
    return std::make_unique<IdaRenewal>(parameters_, choice_, context);
  }

 private:
  const Parameters parameters_;
  const WordlineChoice choice_;
  const double period_hours_;
};

}  // namespace

void register_ida(RefreshRegistry& registry) {
  registry.add<Ida>("ida",
                    "blocks of a given age: pages whose wordline has invalid pages stay, in a coding of fewer states");
}

}  // namespace nandscape::controller
