// SPDX-License-Identifier: Apache-2.0
// Executes flushes of the host. A flush completes when all programs before it and the journal of all trims before it
// are durable.
#pragma once

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <vector>

#include "controller/host_io/host_port.h"
#include "controller/mapping/power_state.h"
#include "controller/power_loss/journal_writer.h"
#include "controller/reading/page_copies.h"
#include "controller/writing/wordline_ledger.h"
#include "core/component.h"

namespace nandscape::controller {

class HostFlushes final : public Component, public DurabilityListener, public PageCopies::Listener {
 public:
  HostFlushes(WordlineLedger& ledger, JournalWriter& journal, const PowerState& power, const HostPort& host)
      : ledger_(ledger), journal_(journal), power_(power), host_(host) {}

  // Sets the page copies that flushes depend on: while the drive saves on capacitor power, flushes also wait for data
  // that exist only in page copies.
  void set_copies(const PageCopies& copies) { copies_ = &copies; }
  void flush(PageAccess& access, Tick now);
  // DurabilityListener
  void page_durable(Tick now) override;
  // PageCopies::Listener
  void none_at_risk(Tick now) override { page_durable(now); }
  // trims_durable() is called when the journal of trims is durable, and trims_not_durable() when the journal will never
  // be durable. The latter fails the flushes that wait for the journal.
  void trims_durable() {
    for (Flush& flush : flushes_) flush.trims = false;
  }
  void trims_not_durable();

  // Called when no more data can become durable. Removes all flushes and returns their accesses.
  std::vector<PageAccess*> give_up();
  void list_waiting(std::ostream& out) const override;
  bool idle() const override { return flushes_.empty(); }

 private:
  struct Flush {
    PageAccess* access;
    std::uint64_t programmed;  // number of the last program that the flush waits for
    bool trims;                // whether the flush also waits for the journal of trims
  };

  void end(PageAccess& access, Tick now);
  bool copies_at_risk() const { return power_.saving && copies_ != nullptr && copies_->at_risk(); }

  WordlineLedger& ledger_;
  JournalWriter& journal_;
  const PowerState& power_;
  const HostPort& host_;
  const PageCopies* copies_ = nullptr;
  std::deque<Flush> flushes_;
};

}  // namespace nandscape::controller
