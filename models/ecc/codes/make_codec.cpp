// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "ecc/codes/codec.h"

namespace nandscape {

std::unique_ptr<Codec> make_codec(const Code& code) {
  switch (code.family) {
    case CodeFamily::bch:
    case CodeFamily::ldpc:
    case CodeFamily::concatenated: break;
  }
  throw std::invalid_argument("there is no code " + to_string(code));
}

}  // namespace nandscape
