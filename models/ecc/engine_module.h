// SPDX-License-Identifier: Apache-2.0
// An ECC engine on its TLM sockets, one for its decoder and one for its encoder. BEGIN_REQ hands a job over; END_REQ
// follows as soon as the FIFO has room, BEGIN_RESP returns the job done.
#pragma once

#include <memory>
#include <span>

#include "core/calendar.h"
#include "ecc/engine.h"
#include "protocol/job_socket.h"

namespace nandscape::ecc {

class EccEngineModule final : public sc_core::sc_module {
 public:
  EccEngineModule(sc_core::sc_module_name name, Calendar& calendar, std::span<const PageCode> codes,
                  const CodeParameters& hardware, std::unique_ptr<PageCoder> coder);

  JobTargetSocket<EccJob>& decode_socket() { return decoder_.socket; }
  JobTargetSocket<EccJob>& encode_socket() { return encoder_.socket; }

  const EccCounters& counters(CodeNumber code) const { return engine_.counters(code); }
  void persist(Archive& archive) { engine_.persist(archive); }

 private:
  // The encoder or the decoder.
  struct Side final : JobForward<EccJob> {
    Side(EccEngineModule& owner, const char* name);
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    void accept(tlm::tlm_generic_payload& payload, Tick now);
    // The FIFO has room for the job that waits.
    void end_request(tlm::tlm_generic_payload& payload);
    void respond(tlm::tlm_generic_payload& payload);
    void send_back(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase);

    EccEngineModule& module;
    JobTargetSocket<EccJob> socket;
  };

  Calendar& calendar_;
  EccEngine engine_;
  Side decoder_;
  Side encoder_;
};

}  // namespace nandscape::ecc
