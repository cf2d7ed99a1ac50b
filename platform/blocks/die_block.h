// SPDX-License-Identifier: Apache-2.0
// A die behind a channel (protocol/nand_command.h).
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
  std::string name;  // of its SystemC module
  Calendar& calendar;
  const Geometry& geometry;
  const PageLayout& layout;
  const nand::NandTiming& timing;
  const FlashDeviceParameters& parameters;
  std::uint32_t tag_words;         // that the controller keeps in the spare area of a page; 0: none
  rtl::onfi::BusTurns& bus_turns;  // of the channel, for dies at pins, which are its bus
  WaveFiles& waves;
  // Of what the built-in die is made, for one who builds on it: null where the simulation keeps no data, where the
  // cells are ideal, and where nobody keeps tags.
  std::unique_ptr<nand::PageStore> store;
  nand::CellArray* cells = nullptr;
  std::unique_ptr<nand::PageTags> tags;
};

class DieBlock : public Block {
 public:
  virtual JobTargetSocket<NandCommand>& socket() = 0;

  // The built-in die that it is or has inside. Only that one can be filled before the simulation begins, age, keep its
  // data without power and break when it is told to, and has statistics.
  virtual nand::DieModule* inner() { return nullptr; }

  // END_REQ and BEGIN_RESP come when cycles and data have moved, so that a channel must not count their time once more.
  // The dies of a channel are alike.
  virtual bool carries_bus_time() const { return false; }

  // Nothing is under way in it that would not be on its link as well.
  virtual bool idle() { return inner() == nullptr || inner()->die().idle(); }
};

using DieBlocks = Registry<DieBlock, DieContext&>;
DieBlocks& die_blocks();

}  // namespace nandscape
