// SPDX-License-Identifier: Apache-2.0
// An ECC engine on its TLM socket: BEGIN_REQ hands a job over and is accepted at once, BEGIN_RESP returns it.
#pragma once

#include "core/calendar.h"
#include "ecc/engine.h"
#include "protocol/job_socket.h"

namespace nandscape {

class EccEngineModule final : public sc_core::sc_module, private JobForward<EccJob> {
 public:
  EccEngineModule(sc_core::sc_module_name name, Calendar& calendar, const EccParameters& parameters);

  JobTargetSocket<EccJob> socket;

  const EccCounters& counters() const { return engine_.counters(); }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  void respond(std::uint64_t payload);

  Calendar& calendar_;
  EccEngine engine_;
};

}  // namespace nandscape
