// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/channel_block.h"

namespace nandscape {

namespace {

class BuiltInChannel final : public ChannelBlock {
 public:
  using Parameters = NoParameters;
  BuiltInChannel(const Parameters&, const ChannelContext& c)
      : module_(c.name.c_str(), c.calendar, c.timing, c.arbitration, c.dies) {}

  Tick lookahead() const override { return never; }
  bool persists() const override { return true; }
  void persist(Archive& archive) override { module_.persist_counters(archive); }
  JobTargetSocket<NandCommand>& socket() override { return module_.socket(); }
  JobInitiatorSocket<NandCommand>& die_socket(DieInChannel die) override { return module_.die_socket(die); }
  channel::ChannelCounters counters() const override { return module_.counters(); }

 private:
  channel::ChannelModule module_;
};

}  // namespace

ChannelBlocks& channel_blocks() {
  static ChannelBlocks blocks(
      "channels", [](ChannelBlocks& r) { r.add<BuiltInChannel>("built_in", "an ONFI bus with arbitration"); });
  return blocks;
}

}  // namespace nandscape
