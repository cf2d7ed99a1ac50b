// SPDX-License-Identifier: Apache-2.0
#include "core/random.h"

#include "core/archive.h"

namespace nandscape {

// From nothing but zeros the generator gives nothing but zeros.
void RandomStream::persist(Archive& archive) {
  archive(state_);
  archive.require(state_ != decltype(state_){}, "a stream of random numbers stands at zero, from where it never moves");
}

}  // namespace nandscape
