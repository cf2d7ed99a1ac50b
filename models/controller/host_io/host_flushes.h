// SPDX-License-Identifier: Apache-2.0
// Host flushes. Each waits until all earlier programs and the journal of all earlier trims are durable.
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

  // While the drive saves, flushes also wait for data that only the page copies hold.
  void set_copies(const PageCopies& copies) { copies_ = &copies; }
  void flush(PageAccess& access, Tick now);
  // DurabilityListener
  void page_durable(Tick now) override;
  // PageCopies::Listener
  void none_at_risk(Tick now) override { page_durable(now); }
  // Called when the journal of trims is durable (trims_durable) or never will be (trims_not_durable, which makes the
  // flushes that wait for the journal fail).
  void trims_durable() {
    for (Flush& flush : flushes_) flush.trims = false;
  }
  void trims_not_durable();

  // Called when nothing more can become durable. Removes all flushes and returns their accesses.
  std::vector<PageAccess*> give_up();
  void list_waiting(std::ostream& out) const override;
  bool idle() const override { return flushes_.empty(); }

 private:
  struct Flush {
    PageAccess* access;
    std::uint64_t programmed;  // waits for programs up to this number
    bool trims;                // also waits for the journal of trims
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
