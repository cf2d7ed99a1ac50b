// SPDX-License-Identifier: Apache-2.0
// The interface of a die on a channel (protocol/nand_command.h). If `geometry.independent_plane_reads` is set, the
// scheduler sends independent reads, which the block must accept while other planes read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/registry.h"
#include "nand/die_module.h"
#include "platform/blocks/block.h"
#include "platform/blocks/waves.h"

namespace nandscape::rtl::onfi {
class BusTurns;
}

namespace nandscape {

struct FlashDeviceParameters;

struct DieContext {
  std::string name;  // name of its SystemC module
  Calendar& calendar;
  const Geometry& geometry;
  const PageLayout& layout;
  const nand::NandTiming& timing;
  const FlashDeviceParameters& parameters;
  std::uint32_t tag_words;         // words of the controller's tag in the spare area of a page; 0 if pages have no tag
  rtl::onfi::BusTurns& bus_turns;  // arbitrates the pins that the dies of a channel share
  WaveFiles& waves;
  // The parts of the built-in die, for blocks that extend it. `store` is null if the simulation does not store data,
  // `cells` is null if cells are ideal, and `tags` is null if the controller stores no tags.
  std::unique_ptr<nand::PageStore> store;
  nand::CellArray* cells = nullptr;
  std::unique_ptr<nand::PageTags> tags;
};

class DieBlock : public Block {
 public:
  virtual JobTargetSocket<NandCommand>& socket() = 0;

  // Returns the built-in die that this block is or contains, or null if there is none. Only a built-in die has initial
  // data, an age, injected failures and statistics, and retains its data without power.
  virtual nand::DieModule* inner() { return nullptr; }

  // Returns whether the block sends END_REQ and BEGIN_RESP only after the cycles and the data have moved on the bus. If
  // so, the channel does not add the bus time again. All dies of a channel must return the same value.
  virtual bool carries_bus_time() const { return false; }

  // Returns whether the die has no operation in progress, not counting operations that are open on its link.
  virtual bool idle() { return inner() == nullptr || inner()->die().idle(); }
};

using DieBlocks = Registry<DieBlock, DieContext&>;
DieBlocks& die_blocks();

}  // namespace nandscape
