// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "controller/migration/refresh/refresh_policy.h"

namespace nandscape::controller {

namespace {

// Moves worn blocks more often than fresh ones, as in adaptive-rate correct and refresh [Cai et al., ICCD 2012].
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

void register_predicted_rber(RefreshRegistry& registry) {
  registry.add<PredictedRber>("predicted_rber",
                              "blocks are moved when the predicted raw bit error rate of plain reads is too high");
}

}  // namespace nandscape::controller
