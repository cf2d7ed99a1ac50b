// SPDX-License-Identifier: Apache-2.0
// A new policy adds its file to this folder, and its declaration and registration here.
#include "controller/streams/stream_policy.h"

namespace nandscape::controller {

void register_by_source(StreamRegistry& registry);
void register_single(StreamRegistry& registry);
void register_hot_cold(StreamRegistry& registry);

StreamRegistry& stream_registry() {
  static StreamRegistry registry = [] {
    StreamRegistry r("controller.streams");
    register_by_source(r);
    register_single(r);
    register_hot_cold(r);
    return r;
  }();
  return registry;
}

}  // namespace nandscape::controller
