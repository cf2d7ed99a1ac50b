// SPDX-License-Identifier: Apache-2.0
#include "controller/streams/variants.h"

namespace nandscape {

const StreamRegistry& stream_registry() {
  static const StreamRegistry registry = [] {
    StreamRegistry r("controller.streams");
    register_by_source(r);
    register_single(r);
    register_hot_cold(r);
    return r;
  }();
  return registry;
}

}  // namespace nandscape
