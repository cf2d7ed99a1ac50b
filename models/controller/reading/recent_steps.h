// SPDX-License-Identifier: Apache-2.0
// Records the steps of the retry table with which pages were last read. Pages of the same layer of a block have similar
// optimum voltages, and so have pages of nearby layers.
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

  // Returns the step with which a page of the layer can probably be read. This is the step recorded for the layer, or
  // else for the nearest layer that has one. Returns 0, the default read levels, if no step is recorded for the block.
  std::uint8_t likely(Superblock block, std::uint32_t layer) const;
  void succeeded(Superblock block, std::uint32_t layer, std::uint8_t step);
  // Called when the block has been erased. Its steps are forgotten, because new data need other steps than old data.
  void forget(Superblock block) { steps_[block].reset(); }

  // Saves or restores the steps. When restoring, checks that no step is greater than `most`.
  void persist(Archive& archive, std::uint32_t most);

  static constexpr std::uint16_t highest = 0xfe;  // highest step that can be stored

 private:
  static constexpr std::uint8_t unknown = 0xff;

  std::uint32_t layers_;
  IdVector<Superblock, std::unique_ptr<std::uint8_t[]>> steps_;  // by block and layer; null if no step is recorded
};

}  // namespace nandscape::controller
