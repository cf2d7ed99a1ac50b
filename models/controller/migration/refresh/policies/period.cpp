// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/refresh/refresh_policy.h"

namespace nandscape::controller {

namespace {

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

}  // namespace

void register_period(RefreshRegistry& registry) {
  registry.add<Period>("period", "blocks are moved when their oldest data reach a given age");
}

}  // namespace nandscape::controller
