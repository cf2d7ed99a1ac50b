// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/machine.h"

#include <algorithm>

#include "core/error.h"
#include "platform/timeline/timeline.h"

namespace nandscape {

HostModule::HostModule(sc_core::sc_module_name name, const PlatformParameters& p, Drive& drive, Calendar& calendar)
    : sc_module(name),
      blocks_(p.simulation.blocks),
      times_(p.simulation.breakdown ? std::make_unique<CommandTimes>() : nullptr),
      host_(host_blocks().make(blocks_.host.kind, {calendar, p.host, times_.get()})),
      link_("link", calendar, p.host.link),
      front_end_(front_end_blocks().make(
          blocks_.front_end.kind,
          {"nvme", calendar, p.host.nvme, p.host.link, drive.storage(), p.simulation.data == DataFidelity::stored,
           times_.get(), drive.host_buffer_user(), drive.power_limit(),
           host_->pci_port() == nullptr ? host::PciStart::enabled : host::PciStart::power_on})),
      links_(p.simulation.check_protocol) {
  links_.connect(host_->registers(), link_.registers_in, "checker_registers_in", is_foreign(*host_));
  links_.connect(link_.registers_out, front_end_->registers(), "checker_registers_out", is_foreign(*front_end_));
  links_.connect(front_end_->dma(), link_.dma_in, "checker_dma_in", is_foreign(*front_end_));
  links_.connect(link_.dma_out, host_->memory(), "checker_dma_out", is_foreign(*host_));
  PciPort* const port = host_->pci_port();
  if (port == nullptr) return;
  if (front_end_->configuration() == nullptr) {
    throw ConfigError({}, "simulation.blocks.host",
                      "a host of kind " + blocks_.host.kind.name + " finds the drive in configuration space, but " +
                          "the front end " + blocks_.front_end.kind.name +
                          " (simulation.blocks.front_end) has none: see FrontEndBlock::configuration() in "
                          "platform/blocks/front_end_block.h");
  }
  port->configuration().bind(link_.configuration_in);
  link_.configuration_out.bind(*front_end_->configuration());
}

Tick HostModule::lookahead() const { return std::min(host_->lookahead(), front_end_->lookahead()); }

std::string HostModule::under_way() const {
  std::string text;
  if (!host_->done()) text += "\n  host " + blocks_.host.kind.name + ": not done";
  if (host_->at_work()) text += "\n  host " + blocks_.host.kind.name + ": at work";
  if (front_end_->at_work()) text += "\n  front end " + blocks_.front_end.kind.name + ": at work";
  return text + links_.outstanding();
}

void HostModule::check_persistent() const {
  require_persistent(*host_, "simulation.blocks.host", blocks_.host.kind.name);
  require_persistent(*front_end_, "simulation.blocks.front_end", blocks_.front_end.kind.name);
}

Machine::Machine(const PlatformParameters& p, Calendar& calendar, controller::StartUp start_up, Timeline* timeline)
    : calendar_("calendar", calendar, ticks_from_us(p.simulation.quantum_us)),
      drive_(drives().make(p.simulation.blocks.drive.kind, {p, calendar, start_up, timeline})),
      host_("host", p, *drive_, calendar),
      power_(p, *drive_, host_, calendar, timeline),
      events_use_kernel_(p.simulation.check_protocol || timeline != nullptr) {
  if (timeline != nullptr && host_.driver() != nullptr) host_.driver()->observe(*timeline);
  const Tick lookahead = std::min(drive_->lookahead(), host_.lookahead());
  if (lookahead == never) return;
  events_use_kernel_ = true;
  calendar_.limit_lookahead(lookahead);
  calendar_.share_time({[this] { return drive_->at_work() || host_.at_work(); },
                        [this] { return host_.under_way() + drive_->under_way(); },
                        ticks_from_us(p.simulation.blocks.watchdog_us)});
}

}  // namespace nandscape
