// SPDX-License-Identifier: Apache-2.0
#include "axi_lite_design_module.h"

#include <utility>

#include "protocol/simulated_time.h"
#include "register_access.h"

using namespace nandscape;
using namespace nandscape::rtl;

AxiLiteDesignModule::AxiLiteDesignModule(const sc_core::sc_module_name& name, const AxiLiteTiming& timing,
                                         std::unique_ptr<ClockedAxiLite> design)
    : sc_module(name),
      clock_(timing.clock_mhz),
      master_(this->name(), clock_, ticks_from_us(timing.watchdog_us)),
      design_(std::move(design)) {
  target.bind(*this);
  reset();
}

void AxiLiteDesignModule::reset() {
  master_.reset();
  for (std::uint64_t cycle = 0; cycle < reset_cycles; ++cycle) design_->cycle(master_.pins(), true);
}

void AxiLiteDesignModule::b_transport(Payload& payload, sc_core::sc_time& delay) {
  AxiLiteAccess access;
  if (!to_axi(payload, access)) return;
  master_.begin(access);
  while (!master_.ended()) master_.clock(design_->cycle(master_.pins(), false));
  end_transaction(payload, master_.access());
  delay += to_sc_time(clock_.span(master_.cycles()));
}

tlm::tlm_sync_enum AxiLiteDesignModule::nb_transport_fw(Payload& payload, tlm::tlm_phase&, sc_core::sc_time& delay) {
  b_transport(payload, delay);
  return tlm::TLM_COMPLETED;
}
