// SPDX-License-Identifier: Apache-2.0
#include "controller/streams/parameters.h"

#include "controller/streams/stream_policy.h"

namespace nandscape::controller {

void describe(StreamParameters& p, ParameterVisitor& v) {
  v.variant("policy", p.policy, stream_registry(), "which pages share blocks");
}

}  // namespace nandscape::controller
