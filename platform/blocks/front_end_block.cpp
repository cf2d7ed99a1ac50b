// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/front_end_block.h"

namespace nandscape {

namespace {

class BuiltInFrontEnd final : public FrontEndBlock {
 public:
  using Parameters = NoParameters;
  BuiltInFrontEnd(const Parameters&, const FrontEndContext& c)
      : module_(c.name.c_str(), c.calendar, c.parameters, c.device, c.keeps_data, c.link, c.start) {
    if (c.times != nullptr) module_.controller().keep_times(*c.times);
    if (c.buffer_user != nullptr) module_.controller().lend_to(*c.buffer_user);
    if (c.power_limit != nullptr) module_.controller().power().set_limit(*c.power_limit);
  }

  Tick lookahead() const override { return never; }
  bool persists() const override { return true; }
  tlm::tlm_target_socket<32>& registers() override { return module_.registers; }
  tlm::tlm_initiator_socket<32>& dma() override { return module_.dma; }
  ConfigurationSocket* configuration() override { return &module_.configuration; }
  void host_lost() override { module_.controller().host_lost(); }
  void persist_lasting(Archive& archive, Tick now) override { module_.controller().persist(archive, now); }
  void persist_settled(Archive& archive, Tick now) override { module_.controller().persist_settled(archive, now); }
  host::PowerStates::Rest rest(Tick now) const override { return module_.controller().power().rest(now); }
  void describe_power_states(StatisticsVisitor& v, Tick now) const override {
    module_.controller().power().describe_states(v, now);
  }
  void add_busy_times(BusyTimes& times) const override {
    const host::NvmeLimits limits = module_.controller().times_at_limits();
    times.add("command_slots", "commands waited for one of host.nvme.command_slots", limits.command_slots);
    times.add("entry_fetches", "commands waited for one of host.nvme.fetches", limits.entry_fetches);
    times.add("data_transfers", "data waited for one of host.nvme.data_transfers, the busier direction",
              {{"upstream", limits.transfers_to_host}, {"downstream", limits.transfers_to_drive}});
  }

 private:
  host::NvmeModule module_;
};

}  // namespace

FrontEndBlocks& front_end_blocks() {
  static FrontEndBlocks blocks("front ends",
                               [](FrontEndBlocks& r) { r.add<BuiltInFrontEnd>("built_in", "an NVMe controller"); });
  return blocks;
}

}  // namespace nandscape
