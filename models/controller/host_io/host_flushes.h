// SPDX-License-Identifier: Apache-2.0
// Flushes: each waits until what was programmed before it is durable, and the journal of the trims before it.
#pragma once

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <vector>

#include "controller/host_io/host_port.h"
#include "controller/mapping/power_state.h"
#include "controller/power_loss/journal_writer.h"
#include "controller/reading/page_copies.h"
#include "controller/writing/page_writer.h"

namespace nandscape::controller {

class HostFlushes {
 public:
  HostFlushes(PageWriter& writer, JournalWriter& journal, const PowerState& power, const HostPort& host)
      : writer_(writer), journal_(journal), power_(power), host_(host) {}

  // While the drive saves, flushes wait for what only these hold.
  void set_copies(const PageCopies& copies) { copies_ = &copies; }
  void flush(PageAccess& access, Tick now);
  // Pages have become durable, or never will be.
  void page_durable(Tick now);
  // The journal of trims is durable; or it will never be, so that those that wait for it fail.
  void trims_durable() {
    for (Flush& flush : flushes_) flush.trims = false;
  }
  void trims_not_durable();

  bool empty() const { return flushes_.empty(); }
  // Nothing can be made durable any more.
  std::vector<PageAccess*> give_up();
  void list_waiting(std::ostream& out) const;

 private:
  struct Flush {
    PageAccess* access;
    std::uint64_t programmed;  // it waits for the pages up to that one
    bool trims;                // and for the journal of trims
  };

  void end(PageAccess& access, Tick now);
  bool copies_at_risk() const { return power_.saving && copies_ != nullptr && copies_->at_risk(); }

  PageWriter& writer_;
  JournalWriter& journal_;
  const PowerState& power_;
  const HostPort& host_;
  const PageCopies* copies_ = nullptr;
  std::deque<Flush> flushes_;
};

}  // namespace nandscape::controller
