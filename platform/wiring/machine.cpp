// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/machine.h"

#include <algorithm>

#include "core/error.h"

namespace nandscape {

HostModule::HostModule(sc_core::sc_module_name name, const PlatformParameters& p, StorageDevice& device,
                       Calendar& calendar)
    : sc_module(name),
      blocks_(p.simulation.blocks),
      host_(host_blocks().make(blocks_.host.kind, {calendar, p.host})),
      link_("link", calendar, p.host.link),
      front_end_(front_end_blocks().make(blocks_.front_end.kind, {"nvme", calendar, p.host.nvme, p.host.link, device,
                                                                  p.simulation.data == DataFidelity::stored})) {
  const bool all = p.simulation.check_protocol;
  const bool of_host = all || is_foreign(*host_), of_front_end = all || is_foreign(*front_end_);
  connect(host_->registers(), link_.registers_in, "checker_registers_in", of_host);
  connect(link_.registers_out, front_end_->registers(), "checker_registers_out", of_front_end);
  connect(front_end_->dma(), link_.dma_in, "checker_dma_in", of_front_end);
  connect(link_.dma_out, host_->memory(), "checker_dma_out", of_host);
}

void HostModule::connect(tlm::tlm_initiator_socket<32>& initiator, tlm::tlm_target_socket<32>& target,
                         const char* checker, bool watched) {
  if (!watched) {
    initiator.bind(target);
    return;
  }
  checkers_.push_back(std::make_unique<Checker>(checker));
  initiator.bind(checkers_.back()->target);
  checkers_.back()->initiator.bind(target);
}

Tick HostModule::lookahead() const { return std::min(host_->lookahead(), front_end_->lookahead()); }

bool HostModule::at_work() const {
  return !host_->done() || std::any_of(checkers_.begin(), checkers_.end(),
                                       [](const auto& checker) { return checker->outstanding() != 0; });
}

std::string HostModule::under_way() const {
  std::string text;
  if (!host_->done()) text += "\n  host " + blocks_.host.kind.name + ": not done";
  for (const auto& checker : checkers_) {
    const std::string histories = checker->outstanding_histories();
    if (!histories.empty()) text += "\n  " + std::string(checker->name()) + ":" + histories;
  }
  return text;
}

void HostModule::check_persistent() const {
  const auto check = [](const Block& block, const char* key, const BlockChoice& choice) {
    if (!block.persists()) refuse_checkpoint(key, choice.kind.name);
  };
  check(*host_, "simulation.blocks.host", blocks_.host);
  check(*front_end_, "simulation.blocks.front_end", blocks_.front_end);
}

Machine::Machine(const PlatformParameters& p, Calendar& calendar, controller::StartUp start_up)
    : calendar_("calendar", calendar, ticks_from_us(p.simulation.quantum_us)),
      drive_(drives().make(p.simulation.blocks.drive.kind, {p, calendar, start_up})),
      host_("host", p, drive_->storage(), calendar) {
  const Tick lookahead = std::min(drive_->lookahead(), host_.lookahead());
  if (lookahead == never) return;
  calendar_.limit_lookahead(lookahead);
  calendar_.share_time({[this] { return drive_->at_work() || host_.at_work(); },
                        [this] { return host_.under_way() + drive_->under_way(); },
                        ticks_from_us(p.simulation.blocks.watchdog_us)});
}

}  // namespace nandscape
