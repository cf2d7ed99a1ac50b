// SPDX-License-Identifier: Apache-2.0
#include "threaded_engine.h"

#include <algorithm>

using namespace nandscape;
using sc_core::sc_time;

ThreadedUnit::ThreadedUnit(sc_core::sc_module_name name, const Times& times) : sc_module(name), times_(times) {
  socket.bind(*this);
  SC_THREAD(answer);
}

// The FIFO accepts any number of jobs, so each request ends as soon as it begins.
tlm::tlm_sync_enum ThreadedUnit::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_time& delay) {
  if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
  payload.acquire();
  results_.push_back({&payload, work(job_of<EccJob>(payload), sc_core::sc_time_stamp() + delay)});
  more_.notify();
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void ThreadedUnit::b_transport(Payload& payload, sc_time& delay) {
  const sc_time now = sc_core::sc_time_stamp() + delay;
  delay += work(job_of<EccJob>(payload), now) - now;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

sc_time ThreadedUnit::work(EccJob& job, const sc_time& now) {
  if (job.kind == EccKind::encode) return now + times_.encode;
  job.uncorrectable = job.worst_codeword_errors > times_.correctable_bits;
  job.corrected_bits = job.uncorrectable ? 0 : job.raw_bit_errors;
  // The decoder can start with a codeword once the bus has transferred it. The transfer of the page ends at `now`, so
  // the last codeword arrives at `now`, and the earlier ones have arrived at equal intervals before.
  const unsigned codewords = job.bytes / times_.codeword_bytes;
  for (unsigned k = 0; k < codewords; ++k) {
    const sc_time still_to_come = sc_time::from_value(job.transfer_time * (codewords - k - 1) / codewords);
    free_ = std::max(free_, now - still_to_come) + times_.codeword;
  }
  return free_;
}

void ThreadedUnit::answer() {
  for (;;) {
    while (results_.empty()) wait(more_);
    const Result result = results_.front();
    results_.pop_front();
    wait(result.at - sc_core::sc_time_stamp());
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay;
    result.payload->set_response_status(tlm::TLM_OK_RESPONSE);
    // The returned phase can be ignored, since nandscape's controller accepts each response within the call.
    socket->nb_transport_bw(*result.payload, phase, delay);
    result.payload->release();
  }
}

namespace {

ThreadedUnit::Times times_of(const ThreadedEngine::Parameters& p, const ecc::CodeParameters& hardware) {
  return {sc_time(p.t_codeword_us, sc_core::SC_US), sc_time(p.t_encode_us, sc_core::SC_US), hardware.codeword_bytes,
          hardware.correctable_bits};
}

}  // namespace

ThreadedEngine::ThreadedEngine(const Parameters& p, EccEngineContext& context)
    : decoder_((context.name + "_decoder").c_str(), times_of(p, context.hardware)),
      encoder_((context.name + "_encoder").c_str(), times_of(p, context.hardware)) {}

void describe(ThreadedEngine::Parameters& p, ParameterVisitor& v) {
  v.real("t_codeword_us", p.t_codeword_us, {0, 1000}, "us", "that decoding takes for each codeword");
  v.real("t_encode_us", p.t_encode_us, {0, 1000}, "us", "that encoding takes");
}
