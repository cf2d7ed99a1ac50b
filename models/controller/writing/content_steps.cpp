// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/content_steps.h"

#include "controller/writing/two_bit_steps.h"
#include "controller/writing/wordline_steps.h"
#include "core/error.h"

namespace nandscape::controller {

std::unique_ptr<ContentSteps> content_steps(const ContentFacts& facts) {
  if (facts.lighter_codes) {
    throw ConfigError({}, "controller.write_mode",
                      "cdber and ecc.selection: cdber use the same margin, one for speed and one for lighter codes; "
                      "choose one of them");
  }
  if (facts.wordlines != nullptr) return std::make_unique<WordlineSteps>(facts);
  return std::make_unique<TwoBitSteps>(facts);
}

}  // namespace nandscape::controller
