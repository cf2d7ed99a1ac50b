// SPDX-License-Identifier: Apache-2.0
// Refresh by invalid-data-aware coding [Choi 2018]: see ida_renewal.h.
#include "controller/ida/ida_renewal.h"
#include "controller/ida/parameters.h"
#include "controller/migration/refresh/refresh_policy.h"
#include "core/error.h"

namespace nandscape::controller {

void describe(IdaParameters& p, ParameterVisitor& v) {
  v.real("period_days", p.period_days, {1e-9, 36'500}, "days",
         "age at which data are refreshed, counted as if they were kept at 30 C; of data that stayed at a refresh, "
         "since then");
  v.real("error_rate", p.error_rate, {0, 1}, "",
         "share of the adjusted pages that are taken to be corrupted, whatever is read back");
  v.real("write_back_error_fraction", p.write_back_error_fraction, {0, 1}, "",
         "share of the correctable errors of a codeword from which on an adjusted page is written elsewhere");
  v.choice("wordlines", p.wordlines,
           {{"all", "each whose page with the most senses is valid"},
            {"repaying",
             "of these, those whose reads, as often as so far, gain more time until the next refresh than "
             "it costs to adjust them; needs controller.read_disturb.limit_reads"}},
           "wordlines that are adjusted");
}

namespace {

[[noreturn]] void refuse(const char* what) {
  throw ConfigError({}, "controller.refresh.policy", std::string("ida ") + what);
}

class Ida final : public RefreshPolicy {
 public:
  using Parameters = IdaParameters;

  Ida(const Parameters& p, const RefreshContext& context)
      : parameters_(p), choice_(p.wordlines, context), period_hours_(p.period_days * 24) {
    if (!context.has_capacitor) {
      refuse(
          "keeps data in memory alone while their wordline is adjusted; set controller.power_loss.protection to "
          "capacitor");
    }
    // The array works for an adjustment that was begun, for reads of its pages, and for programs, which wait for
    // others.
    constexpr double adjustments = 10;
    if (context.hold_up_ms < adjustments * context.t_adjust_ms) {
      refuse(
          "needs a capacitor that feeds the drive until pages which are being adjusted are safe; set "
          "controller.power_loss.hold_up_ms to at least ten times nand.timing.t_adjust_us beyond the longest save "
          "(controller.power_loss.hold_up_most_us of the statistics)");
    }
    if (context.has_parity) {
      refuse("gives pages of a row up, which the others need to be made from; set controller.parity.stripe_dies to 0");
    }
    if (context.copyback)
      refuse("takes no pages that copyback has moved; set controller.garbage_collection.copyback to false");
    if (p.wordlines == StayingWordlines::repaying && !context.reads_counted) {
      refuse(
          "counts the reads of blocks to find out which wordlines repay; set controller.read_disturb.limit_reads, or "
          "controller.refresh.wordlines to all");
    }
    if (context.pages_per_wordline < 2) refuse("needs cells of several bits; nand.coding has one page in a wordline");
  }

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
  registry.add<Ida>("ida", "blocks of an age: pages whose wordline has invalid ones stay, in a coding of fewer states");
}

}  // namespace nandscape::controller
