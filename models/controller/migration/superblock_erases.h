// SPDX-License-Identifier: Apache-2.0
// Tracks erases of superblocks: one for each member. A superblock is erased when all members are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "controller/addresses/ids.h"

namespace nandscape::controller {

class SuperblockErases {
 public:
  void start(Superblock block, std::uint32_t members) { under_way_.push_back({block, members, true}); }
  // The erase of one member has ended. Returns whether it was the last one.
  bool ended(Superblock block, bool erased) {
    Erase& erase = *find(block);
    erase.good &= erased;
    return --erase.missing == 0;
  }
  // Removes the superblock and returns whether all members were erased.
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
