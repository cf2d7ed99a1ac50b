// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/block.h"

#include "core/error.h"

namespace nandscape {

void refuse_checkpoint(const std::string& key, const std::string& name) {
  throw RequestError("a checkpoint needs the state of every block, and " + name + " (" + key +
                     ") does not write its own: see Block::persists() in platform/blocks/block.h");
}

}  // namespace nandscape
