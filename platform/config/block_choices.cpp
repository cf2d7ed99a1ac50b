// SPDX-License-Identifier: Apache-2.0
#include "platform/config/block_choices.h"

#include "platform/blocks/channel_block.h"
#include "platform/blocks/die_block.h"
#include "platform/blocks/drive.h"
#include "platform/blocks/ecc_engine_block.h"
#include "platform/blocks/front_end_block.h"
#include "platform/blocks/host_block.h"

namespace nandscape {

namespace {

// The choice of a block, together with the family of registered variants from which it is chosen.
struct Described {
  BlockChoice& choice;
  const VariantFamily& family;
};
void describe(Described& d, ParameterVisitor& v) {
  v.variant("kind", d.choice.kind, d.family, "registered name of the block");
}

}  // namespace

void describe(BlockChoices& p, ParameterVisitor& v) {
  const auto block = [&v](std::string_view key, BlockChoice& choice, const VariantFamily& family,
                          std::string_view meaning) {
    Described described{choice, family};
    v.group(key, described, meaning);
  };
  block("host", p.host, host_blocks(), "user of the drive, with the memory that the drive reads and writes");
  block("front_end", p.front_end, front_end_blocks(), "between the link and the drive");
  block("drive", p.drive, drives(), "the controller and everything behind it");
  block("ecc_engine", p.ecc_engine, ecc_engine_blocks(), "encoder and decoder");
  block("channel", p.channel, channel_blocks(), "the bus to the dies");
  block("die", p.die, die_blocks(), "the flash");
  v.real("watchdog_us", p.watchdog_us, {1, 1e9}, "us",
         "a run ends with an error when blocks with SystemC processes have work and nothing happens for this time");
}

}  // namespace nandscape
