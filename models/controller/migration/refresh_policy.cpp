// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/refresh_policy.h"

#include <stdexcept>

#include "controller/migration/block_renewal.h"

namespace nandscape::controller {

namespace {

class NoRefresh final : public RefreshPolicy {
 public:
  using Parameters = NoParameters;
  NoRefresh(const Parameters&, const RefreshContext&) {}

  bool due(const BlockAge&) const override { return false; }
};

class Period final : public RefreshPolicy {
 public:
  struct Parameters {
    double period_days = 90;
  };

  Period(const Parameters& p, const RefreshContext&) : period_hours_(p.period_days * 24) {}

  bool due(const BlockAge& block) const override { return block.age_hours >= period_hours_; }

 private:
  const double period_hours_;
};

void describe(Period::Parameters& p, ParameterVisitor& v) {
  v.real("period_days", p.period_days, {0.001, 36'500}, "days",
         "age at which data are moved, in equivalent days at 30 C");
}

// Refreshes worn blocks more often than fresh ones, like adaptive-rate flash correct-and-refresh [Cai et al., ICCD
// 2012].
class PredictedRber final : public RefreshPolicy {
 public:
  struct Parameters {
    double rber_limit = 0;
    double correctable_share = 0.5;
  };

  PredictedRber(const Parameters& p, const RefreshContext& context)
      : predicted_rber_(context.predicted_rber),
        limit_(p.rber_limit > 0 ? p.rber_limit : p.correctable_share * context.correctable_rber) {
    if (!predicted_rber_ || limit_ <= 0)
      throw std::logic_error("refresh by predicted RBER needs a prediction and a positive limit");
  }

  bool due(const BlockAge& block) const override { return predicted_rber_(block) > limit_; }

 private:
  const RberPredictor predicted_rber_;
  const double limit_;
};

void describe(PredictedRber::Parameters& p, ParameterVisitor& v) {
  v.real("rber_limit", p.rber_limit, {0, 0.5}, "",
         "raw bit error rate above which a block is moved; 0: correctable_share decides");
  v.real("correctable_share", p.correctable_share, {0.001, 1}, "",
         "a block is moved above this share of the raw bit error rate that the code corrects");
}

}  // namespace

void describe(RefreshParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.refreshes(), {"check_hours"}, "policy is none");
  v.variant("policy", p.policy, refresh_registry(), "which blocks are refreshed before their data are lost");
  v.real("check_hours", p.check_hours, {1e-7, 10'000}, "hours", "time between two checks of all blocks");
}

void describe(ReadDisturbParameters& p, ParameterVisitor& v) {
  v.integer("limit_reads", p.limit_reads, {}, "",
            "page reads of a block since its last erase after which its data are moved; 0: never");
}

void describe(ScrubParameters& p, ParameterVisitor& v) {
  v.unread_if(p.period_hours == 0, {"relocate_error_fraction"}, "period_hours is 0");
  v.real("period_hours", p.period_hours, {0, 2500}, "hours",
         "simulated time in which every page of the device is read once to look for errors; 0: never");
  v.real("relocate_error_fraction", p.relocate_error_fraction, {0, 1}, "",
         "a block is moved if a codeword has at least this share of the correctable errors");
}

// To add a policy, define its class above and register it here. A larger policy has its own file.
void register_ida(RefreshRegistry& registry);

RefreshRegistry& refresh_registry() {
  static RefreshRegistry registry("controller.refresh", [](RefreshRegistry& r) {
    r.add<NoRefresh>("none", "data stay where they are");
    r.add<Period>("period", "blocks are moved when their oldest data reach a given age");
    r.add<PredictedRber>("predicted_rber",
                         "blocks are moved when the predicted raw bit error rate of plain reads is too high");
    register_ida(r);
  });
  return registry;
}

std::unique_ptr<BlockRenewal> RefreshPolicy::make_renewal(const RenewalContext&) const { return nullptr; }

}  // namespace nandscape::controller
