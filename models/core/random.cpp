// SPDX-License-Identifier: Apache-2.0
#include "core/random.h"

#include "core/archive.h"

namespace nandscape {

// A state of zeros is a fixed point of the generator, which would then return only zeros.
void RandomStream::persist(Archive& archive) {
  archive(state_);
  archive.require(state_ != decltype(state_){}, "the state of a random stream is zero, and would stay zero");
}

}  // namespace nandscape
