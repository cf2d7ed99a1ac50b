// SPDX-License-Identifier: Apache-2.0
// Tests b_transport of the ECC engine, which loosely timed initiators use. Blocking calls from several threads must
// share the engine in the same way as jobs sent with nb_transport.
#include <vector>

#include "catch.h"
#include "ecc/engine_module.h"
#include "ecc/page_coders/threshold_coder.h"
#include "kernel.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/protocol_checker.h"

namespace nandscape {
namespace {

// An initiator that makes one blocking call from a separate thread, at the time `begin`, with a delay argument of
// `ahead`.
struct Initiator final : sc_core::sc_module, JobBackward<EccJob> {
  SC_HAS_PROCESS(Initiator);
  Initiator(const sc_core::sc_module_name& name, const EccJob& of, Tick start, Tick before_it)
      : sc_module(name), begin(start), ahead(before_it), job(of) {
    socket.bind(static_cast<JobBackward<EccJob>&>(*this));
    socket.bind(checker.target);
    SC_THREAD(call);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    FAIL("a blocking call is answered by a phase");
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void call() {
    wait(to_sc_time(begin));
    tlm::tlm_generic_payload& payload = pool.acquire(job);
    sc_core::sc_time delay = to_sc_time(ahead);
    socket->b_transport(payload, delay);
    wait(delay);
    done = to_ticks(sc_core::sc_time_stamp());
    CHECK(payload.get_response_status() == tlm::TLM_OK_RESPONSE);
    payload.release();
    CHECK(checker.outstanding() == 0);
  }

  const Tick begin;
  const Tick ahead;
  EccJob job;
  Tick done = never;
  JobInitiatorSocket<EccJob> socket{"socket"};
  ProtocolChecker<JobProtocol<EccJob>> checker{"checker"};
  JobPayloadPool<EccJob> pool;
};

TEST_CASE("an ECC engine takes its time in a blocking call") {
  const Tick quantum = GENERATE(Tick{0}, microsecond, millisecond);
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, quantum);
  driver.limit_lookahead(0);
  ecc::EccParameters parameters;
  parameters.t_decode_us = 20;
  parameters.decode_mb_s = 1000;
  parameters.t_encode_us = 6;
  const std::vector<ecc::PageCode> codes = {{.parameters = parameters}};
  ecc::EccEngineModule engine("engine", calendar, codes, parameters, std::make_unique<ecc::ThresholdCoder>(10));
  EccJob job;
  job.bytes = 4000;
  job.raw_bit_errors = job.worst_codeword_errors = 11;
  Initiator first("first", job, microsecond, 7), second("second", job, microsecond, 8);
  job.kind = EccKind::encode;
  Initiator encoding("encoding", job, microsecond, 9);
  struct Fork final : sc_core::sc_module, JobForward<EccJob>, JobBackward<EccJob> {
    explicit Fork(const sc_core::sc_module_name& name) : sc_module(name) {
      out.bind(static_cast<JobBackward<EccJob>&>(*this));
      for (auto* in : {&a, &b}) in->bind(static_cast<JobForward<EccJob>&>(*this));
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
      return tlm::TLM_COMPLETED;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
      FAIL("a blocking call is answered by a phase");
      return tlm::TLM_COMPLETED;
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
      out->b_transport(payload, delay);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    JobTargetSocket<EccJob> a{"a"}, b{"b"};
    JobInitiatorSocket<EccJob> out{"out"};
  } fork("fork");
  first.checker.initiator.bind(fork.a);
  second.checker.initiator.bind(fork.b);
  fork.out.bind(engine.decode_socket());
  encoding.checker.initiator.bind(engine.encode_socket());
  sc_core::sc_start(to_sc_time(millisecond));
  CHECK(first.done == microsecond + 7 + 20 * microsecond);
  CHECK(first.job.uncorrectable);
  // The pipeline accepts the next job as soon as the first job has entered it.
  CHECK(second.done == microsecond + 7 + 4 * microsecond + 20 * microsecond);
  CHECK(encoding.done == microsecond + 9 + 6 * microsecond);
}

}  // namespace
}  // namespace nandscape
