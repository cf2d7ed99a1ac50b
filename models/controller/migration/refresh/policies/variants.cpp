// SPDX-License-Identifier: Apache-2.0
// To add a policy, add its file to this folder, and its declaration and registration here.
#include "controller/migration/block_renewal.h"
#include "controller/migration/refresh/refresh_policy.h"

namespace nandscape::controller {

void register_no_refresh(RefreshRegistry& registry);
void register_period(RefreshRegistry& registry);
void register_predicted_rber(RefreshRegistry& registry);
void register_ida(RefreshRegistry& registry);

RefreshRegistry& refresh_registry() {
  static RefreshRegistry registry = [] {
    RefreshRegistry r("controller.refresh");
    register_no_refresh(r);
    register_period(r);
    register_predicted_rber(r);
    register_ida(r);
    return r;
  }();
  return registry;
}

std::unique_ptr<BlockRenewal> RefreshPolicy::make_renewal(const RenewalContext&) const { return nullptr; }

}  // namespace nandscape::controller
