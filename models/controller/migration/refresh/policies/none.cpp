// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/refresh/refresh_policy.h"

namespace nandscape::controller {

namespace {

class NoRefresh final : public RefreshPolicy {
 public:
  using Parameters = NoParameters;
  NoRefresh(const Parameters&, const RefreshContext&) {}

  bool due(const BlockAge&) const override { return false; }
};

}  // namespace

void register_no_refresh(RefreshRegistry& registry) { registry.add<NoRefresh>("none", "data stay where they are"); }

}  // namespace nandscape::controller
