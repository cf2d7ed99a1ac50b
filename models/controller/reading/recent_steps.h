// SPDX-License-Identifier: Apache-2.0
// Remembers the steps of the retry table at which pages were last read. Pages of one layer of a block behave alike, and
// pages of nearby layers nearly alike. The method is that of Shim et al., MICRO 2019, as described in section 7.3 of
// Park et al., ASPLOS 2021.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "controller/addresses/ids.h"
#include "controller/mapping/block_age.h"
#include "controller/mapping/block_ages.h"
#include "controller/mapping/block_table.h"
#include "core/archive.h"

namespace nandscape::controller {

class RecentSteps {
 public:
  RecentSteps(std::uint32_t blocks, std::uint32_t layers) : layers_(layers), steps_(blocks) {}

  // Returns the step at which a page of the layer is likely to be readable: that of the layer, or else of the nearest
  // layer with a known step. Returns 0, the default levels, if nothing is known of the block.
  std::uint8_t likely(Superblock block, std::uint32_t layer) const;
  void succeeded(Superblock block, std::uint32_t layer, std::uint8_t step);
  // The block has been erased: its next data are young.
  void forget(Superblock block) { steps_[block].reset(); }

  // No step is greater than `most`.
  void persist(Archive& archive, std::uint32_t most);

  static constexpr std::uint16_t highest = 0xfe;  // highest step that can be stored

 private:
  static constexpr std::uint8_t unknown = 0xff;

  std::uint32_t layers_;
  IdVector<Superblock, std::unique_ptr<std::uint8_t[]>> steps_;  // by block and layer; null if nothing is known
};

// Fills `recent` with the drive's memory of reads before the simulation, when its data were younger: as if each block
// of the initial fill had last been read at `age_share` of its data's age. `step_of_layers` returns the step of the
// retry table at which such a read succeeded.
void remember_last_reads(RecentSteps& recent, double age_share, const LayerSteps& step_of_layers,
                         const BlockTable& blocks, const BlockAges& ages);

}  // namespace nandscape::controller
