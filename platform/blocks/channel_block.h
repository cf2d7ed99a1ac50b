// SPDX-License-Identifier: Apache-2.0
// The interface of a channel. A channel connects the controller to the dies, and uses the protocol of
// protocol/nand_command.h on both sides.
#pragma once

#include <string>

#include "channel/channel_module.h"
#include "core/registry.h"
#include "platform/blocks/block.h"

namespace nandscape {

struct ChannelContext {
  std::string name;  // name of its SystemC module
  Calendar& calendar;
  const channel::BusTiming& timing;
  channel::BusArbitration arbitration;
  std::uint32_t dies;
};

class ChannelBlock : public Block {
 public:
  virtual JobTargetSocket<NandCommand>& socket() = 0;
  virtual JobInitiatorSocket<NandCommand>& die_socket(DieInChannel die) = 0;

  // Returns the counters for statistics. A channel without counters is shown as idle.
  virtual channel::ChannelCounters counters() const { return {}; }
};

using ChannelBlocks = Registry<ChannelBlock, const ChannelContext&>;
ChannelBlocks& channel_blocks();

}  // namespace nandscape
