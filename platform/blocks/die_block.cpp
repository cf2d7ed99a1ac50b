// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/die_block.h"

#include <utility>

#include "platform/blocks/onfi_pins_die.h"

namespace nandscape {

namespace {

class BuiltInDie final : public DieBlock {
 public:
  using Parameters = NoParameters;
  BuiltInDie(const Parameters&, DieContext& c)
      : module_(c.name.c_str(), c.calendar, c.geometry, c.timing, std::move(c.store), c.cells, std::move(c.tags)) {}

  Tick lookahead() const override { return never; }
  bool persists() const override { return true; }  // the back end saves the state of built-in dies
  JobTargetSocket<NandCommand>& socket() override { return module_.socket(); }
  nand::DieModule* inner() override { return &module_; }

 private:
  nand::DieModule module_;
};

}  // namespace

DieBlocks& die_blocks() {
  static DieBlocks blocks("dies", [](DieBlocks& r) {
    r.add<BuiltInDie>("built_in", "cells, registers and commands of a NAND die");
    add_onfi_pins_die(r);
  });
  return blocks;
}

}  // namespace nandscape
