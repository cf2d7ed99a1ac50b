// SPDX-License-Identifier: Apache-2.0
// Erases of superblocks: one of each member, and the superblock is erased when all have been.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "controller/addresses/ids.h"

namespace nandscape::controller {

class SuperblockErases {
 public:
  void start(Superblock block, std::uint32_t members) { under_way_.push_back({block, members, true}); }
  // One member has been erased, or has failed. Returns whether it was the last one.
  bool ended(Superblock block, bool erased) {
    Erase& erase = *find(block);
    erase.good &= erased;
    return --erase.missing == 0;
  }
  // Whether all members have been erased; nothing more is kept of the superblock.
  bool take(Superblock block) {
    const auto erase = find(block);
    const bool good = erase->good;
    under_way_.erase(erase);
    return good;
  }

 private:
  struct Erase {
    Superblock block;
    std::uint32_t missing;
    bool good;
  };

  std::vector<Erase>::iterator find(Superblock block) {
    return std::find_if(under_way_.begin(), under_way_.end(), [block](const Erase& e) { return e.block == block; });
  }

  std::vector<Erase> under_way_;  // few at a time
};

}  // namespace nandscape::controller
