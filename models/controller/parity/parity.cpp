// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/parameters.h"

namespace nandscape::controller {

void describe(ParityParameters& p, ParameterVisitor& v) {
  v.integer(
      "stripe_dies", p.stripe_dies, {0, 1 << 16}, "",
      "dies of a stripe set, in which one page of each row holds parity; must divide the number of dies; 0: no parity");
}

}  // namespace nandscape::controller
