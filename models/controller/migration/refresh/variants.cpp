// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/refresh/variants.h"

namespace nandscape {

const RefreshRegistry& refresh_registry() {
  static const RefreshRegistry registry = [] {
    RefreshRegistry r("controller.refresh");
    register_no_refresh(r);
    register_period(r);
    register_predicted_rber(r);
    return r;
  }();
  return registry;
}

}  // namespace nandscape
