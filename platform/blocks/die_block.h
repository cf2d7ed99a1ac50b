// SPDX-License-Identifier: Apache-2.0
// The interface of a die on a channel (protocol/nand_command.h).
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
  std::uint32_t tag_words;         // words of the controller's tag in the spare area of a page; 0: no tag
  rtl::onfi::BusTurns& bus_turns;  // arbitrates the pins that the dies of a channel share
  WaveFiles& waves;
  // The parts of the built-in die, for blocks that extend it. `store` is null if the simulation keeps no data, `cells`
  // if cells are ideal, and `tags` if the controller keeps no tags.
  std::unique_ptr<nand::PageStore> store;
  nand::CellArray* cells = nullptr;
  std::unique_ptr<nand::PageTags> tags;
};

class DieBlock : public Block {
 public:
  virtual JobTargetSocket<NandCommand>& socket() = 0;

  // The built-in die that this block is or contains; null if there is none. Only the built-in die has initial data, an
  // age, injected failures and statistics, and keeps its data without power.
  virtual nand::DieModule* inner() { return nullptr; }

  // Whether END_REQ and BEGIN_RESP are sent after cycles and data have moved. If so, the channel does not add their
  // time again. All dies of a channel must return the same value.
  virtual bool carries_bus_time() const { return false; }

  // Whether the die has no operation in progress, apart from operations that are open on its link.
  virtual bool idle() { return inner() == nullptr || inner()->die().idle(); }
};

using DieBlocks = Registry<DieBlock, DieContext&>;
DieBlocks& die_blocks();

}  // namespace nandscape
