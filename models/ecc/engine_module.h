// SPDX-License-Identifier: Apache-2.0
// An ECC engine behind two TLM sockets, one for its decoder and one for its encoder. The caller passes a job to the
// engine with BEGIN_REQ. The engine answers with END_REQ as soon as the FIFO has room for the job, and returns the
// finished job with BEGIN_RESP.
#pragma once

#include <memory>
#include <span>

#include "core/calendar.h"
#include "ecc/engine.h"
#include "protocol/job_port.h"

namespace nandscape::ecc {

class EccEngineModule final : public sc_core::sc_module {
 public:
  // The engine has `units` encoders and `units` decoders.
  EccEngineModule(sc_core::sc_module_name name, Calendar& calendar, std::span<const PageCode> codes,
                  const CodeParameters& hardware, std::unique_ptr<PageCoder> coder, std::uint32_t units = 1);

  JobTargetSocket<EccJob>& decode_socket() { return decoder_.port.socket; }
  JobTargetSocket<EccJob>& encode_socket() { return encoder_.port.socket; }

  const EccCounters& counters(CodeNumber code) const { return engine_.counters(code); }
  void persist(Archive& archive) { engine_.persist(archive); }

 private:
  // The encoder or the decoder.
  struct alignas(64) Side final {
    Side(EccEngineModule& owner, const char* name) : module(owner), port(name, owner.calendar_, *this) {}

    // Called by the port.
    RequestAnswer request_begins(EccJob& job, Tick now);
    void response_ended(EccJob&, Tick) {}
    Tick response_time(const EccJob&) const { return 0; }
    unsigned int look_at(tlm::tlm_generic_payload&, EccJob&) const { return 0; }

    void accept(EccJob& job, Tick now);
    // Sends END_REQ for the job that waited for room in the FIFO. Called when the FIFO has room.
    void end_request(EccJob& job);
    void respond(EccJob& job) { port.begin_response(job); }

    EccEngineModule& module;
    JobTargetPort<EccJob, Side> port;
  };

  // The calendar and the first members of the engine are used for each decode, so they share a cache line.
  alignas(64) Calendar& calendar_;
  EccEngine engine_;
  Side decoder_;
  Side encoder_;
};

}  // namespace nandscape::ecc
