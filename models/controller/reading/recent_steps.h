// SPDX-License-Identifier: Apache-2.0
// At which steps of the retry table pages were read of late. Pages of one layer of a block are alike, and layers that
// lie near each other nearly so (Shim et al., MICRO 2019, as section 7.3 of the read-retry paper has it).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "controller/addresses/ids.h"
#include "core/archive.h"

namespace nandscape::controller {

class RecentSteps {
 public:
  RecentSteps(std::uint32_t blocks, std::uint32_t layers) : layers_(layers), steps_(blocks) {}

  // Where a page of the layer is likely to be readable: as the last one of that layer, or of the nearest one of which
  // that is known. 0, the default levels, of a block of which nothing is.
  std::uint8_t likely(Superblock block, std::uint32_t layer) const;
  void succeeded(Superblock block, std::uint32_t layer, std::uint8_t step);
  // The block has been erased: what comes is young.
  void forget(Superblock block) { steps_[block].reset(); }

  // No step is greater than `most`.
  void persist(Archive& archive, std::uint32_t most);

  static constexpr std::uint16_t highest = 0xfe;  // that can be remembered

 private:
  static constexpr std::uint8_t unknown = 0xff;

  std::uint32_t layers_;
  IdVector<Superblock, std::unique_ptr<std::uint8_t[]>>
      steps_;  // by block and layer, for blocks of which something is known
};

}  // namespace nandscape::controller
