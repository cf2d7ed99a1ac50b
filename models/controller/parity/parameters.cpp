// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/parameters.h"

namespace nandscape::controller {

void describe(ParityParameters& p, ParameterVisitor& v) {
  v.integer("stripe_dies", p.stripe_dies, {0, 1 << 16}, "",
            "dies of a stripe set, which have one page of parity in as many pages; it divides the number of dies; "
            "0: no parity");
}

}  // namespace nandscape::controller
