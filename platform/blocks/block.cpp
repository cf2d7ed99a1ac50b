// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/block.h"

#include "core/error.h"

namespace nandscape {

void require_persistent(const Block& block, const std::string& key, const std::string& name) {
  if (block.persists()) return;
  throw RequestError("a checkpoint needs the state of every block, and " + name + " (" + key +
                     ") does not write its own: see Block::persists() in platform/blocks/block.h");
}

}  // namespace nandscape
