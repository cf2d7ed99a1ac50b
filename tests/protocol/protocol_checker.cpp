// SPDX-License-Identifier: Apache-2.0
#include "protocol/protocol_checker.h"

#include <functional>

#include "catch.h"
#include "core/error.h"
#include "kernel.h"
#include "protocol/ecc_job.h"
#include "protocol/job_socket.h"

namespace nandscape {
namespace {

using Catch::Matchers::Contains;
using Payload = tlm::tlm_generic_payload;
using NonBlocking = std::function<tlm::tlm_sync_enum(Payload&, tlm::tlm_phase&, sc_core::sc_time&)>;

// Both ends of a link, which the test controls, and a protocol checker between them.
template <class Protocol>
struct Bench final : sc_core::sc_module, tlm::tlm_fw_transport_if<Protocol>, tlm::tlm_bw_transport_if<Protocol> {
  explicit Bench(sc_core::sc_module_name name) : sc_module(name), checker("checker") {
    initiator.bind(static_cast<tlm::tlm_bw_transport_if<Protocol>&>(*this));
    target.bind(static_cast<tlm::tlm_fw_transport_if<Protocol>&>(*this));
    initiator.bind(checker.target);
    checker.initiator.bind(target);
  }

  tlm::tlm_sync_enum nb_transport_fw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    return on_forward(p, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    return on_backward(p, phase, delay);
  }
  void b_transport(Payload& p, sc_core::sc_time&) override { on_blocking(p); }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi& dmi) override {
    dmi.set_start_address(42);
    return true;
  }
  unsigned int transport_dbg(Payload&) override { return 17; }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override { invalidated = last - first; }

  tlm::tlm_sync_enum forward(Payload& p, tlm::tlm_phase phase, Tick delay = 0) {
    sc_core::sc_time time = to_sc_time(delay);
    if (phase == tlm::BEGIN_REQ && resets_status) p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return initiator->nb_transport_fw(p, phase, time);
  }
  tlm::tlm_sync_enum backward(Payload& p, tlm::tlm_phase phase, Tick delay = 0) {
    sc_core::sc_time time = to_sc_time(delay);
    if (phase == tlm::BEGIN_RESP && sets_status) p.set_response_status(tlm::TLM_OK_RESPONSE);
    return target->nb_transport_bw(p, phase, time);
  }

  tlm::tlm_initiator_socket<32, Protocol> initiator{"initiator"};
  tlm::tlm_target_socket<32, Protocol> target{"target"};
  ProtocolChecker<Protocol> checker;
  NonBlocking on_forward = [](auto&...) { return tlm::TLM_ACCEPTED; };
  NonBlocking on_backward = [](auto&...) { return tlm::TLM_ACCEPTED; };
  std::function<void(Payload&)> on_blocking = [](Payload& p) { p.set_response_status(tlm::TLM_OK_RESPONSE); };
  bool resets_status = true;
  bool sets_status = true;
  sc_dt::uint64 invalidated = 0;
};

struct Fixture {
  Fixture() { sc_core::sc_start(to_sc_time(nanosecond)); }

  Kernel kernel;
  Bench<JobProtocol<EccJob>> bench{"bench"};
  EccJob job;
  JobPayloadPool<EccJob> pool;
};

NonBlocking answer(tlm::tlm_sync_enum status, tlm::tlm_phase next = tlm::UNINITIALIZED_PHASE, Tick later = 0) {
  return [=](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (status == tlm::TLM_COMPLETED || next == tlm::BEGIN_RESP) p.set_response_status(tlm::TLM_OK_RESPONSE);
    if (next != tlm::UNINITIALIZED_PHASE) phase = next;
    delay += to_sc_time(later);
    return status;
  };
}

TEST_CASE_METHOD(Fixture, "a transaction by calls and a transaction by return values pass") {
  Payload& calls = pool.acquire(job);
  bench.forward(calls, tlm::BEGIN_REQ, 5);
  bench.backward(calls, tlm::END_REQ, 7);
  bench.backward(calls, tlm::BEGIN_RESP, 9);
  bench.forward(calls, tlm::END_RESP, 9);
  calls.release();

  Payload& returns = pool.acquire(job);
  bench.on_forward = answer(tlm::TLM_UPDATED, tlm::END_REQ, 3);
  bench.on_backward = answer(tlm::TLM_UPDATED, tlm::END_RESP, 3);
  CHECK(bench.forward(returns, tlm::BEGIN_REQ, 20) == tlm::TLM_UPDATED);
  CHECK(bench.backward(returns, tlm::BEGIN_RESP, 23) == tlm::TLM_UPDATED);
  CHECK(returns.get_ref_count() == 1);
  CHECK(bench.checker.outstanding() == 0);
}

TEST_CASE_METHOD(Fixture, "the error for a violation names the link and gives the history") {
  Payload& payload = pool.acquire(job);
  bench.forward(payload, tlm::BEGIN_REQ, 5);
  bench.backward(payload, tlm::END_REQ, 7);
  CHECK_THROWS_WITH(bench.backward(payload, tlm::BEGIN_RESP, 6),
                    Contains("bench.checker: BEGIN_RESP goes back in time") && Contains("BEGIN_REQ at 1005 ps") &&
                        Contains("END_REQ at 1007 ps") && Contains("BEGIN_RESP at 1006 ps"));
}

TEST_CASE_METHOD(Fixture, "returned phases are checked like called ones") {
  Payload& payload = pool.acquire(job);
  SECTION("a phase that may not follow") {
    bench.on_forward = answer(tlm::TLM_UPDATED, tlm::END_RESP);
    CHECK_THROWS_WITH(bench.forward(payload, tlm::BEGIN_REQ), Contains("END_RESP comes from the target"));
  }
  SECTION("BEGIN_RESP") {
    bench.on_forward = answer(tlm::TLM_UPDATED, tlm::BEGIN_RESP, 4);
    bench.forward(payload, tlm::BEGIN_REQ);
    CHECK_THROWS_WITH(bench.backward(payload, tlm::BEGIN_RESP, 4), Contains("a second BEGIN_RESP"));
  }
  SECTION("a delay that is made shorter") {
    bench.on_forward = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      phase = tlm::END_REQ;
      delay -= to_sc_time(1);
      return tlm::TLM_UPDATED;
    };
    CHECK_THROWS_WITH(bench.forward(payload, tlm::BEGIN_REQ, 10), Contains("the delay returned is shorter"));
  }
  SECTION("TLM_ACCEPTED with a phase") {
    bench.on_forward = answer(tlm::TLM_ACCEPTED, tlm::END_REQ);
    CHECK_THROWS_WITH(bench.forward(payload, tlm::BEGIN_REQ), Contains("TLM_ACCEPTED is returned with another phase"));
  }
  SECTION("TLM_ACCEPTED with a delay") {
    bench.on_forward = answer(tlm::TLM_ACCEPTED, tlm::UNINITIALIZED_PHASE, 1);
    CHECK_THROWS_WITH(bench.forward(payload, tlm::BEGIN_REQ), Contains("TLM_ACCEPTED is returned with another phase"));
  }
  SECTION("completion, and a phase after it") {
    bench.on_forward = answer(tlm::TLM_COMPLETED);
    CHECK(bench.forward(payload, tlm::BEGIN_REQ) == tlm::TLM_COMPLETED);
    CHECK(bench.checker.outstanding() == 0);
    CHECK_THROWS_WITH(bench.backward(payload, tlm::BEGIN_RESP), Contains("BEGIN_RESP of a transaction that is over"));
  }
}

TEST_CASE_METHOD(Fixture, "phases may be answered from within a call") {
  Payload& first = pool.acquire(job);
  Payload& second = pool.acquire(job);
  bench.on_forward = [&](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::BEGIN_REQ && &p == &first) bench.backward(p, tlm::END_REQ);
    return tlm::TLM_ACCEPTED;
  };
  bench.on_backward = [&](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_REQ) bench.forward(second, tlm::BEGIN_REQ);
    return tlm::TLM_ACCEPTED;
  };
  bench.forward(first, tlm::BEGIN_REQ);
  CHECK(bench.checker.outstanding() == 2);
}

TEST_CASE_METHOD(Fixture, "a delay that wrapped around is refused as earlier than the present") {
  Payload& payload = pool.acquire(job);
  CHECK_THROWS_WITH(bench.forward(payload, tlm::BEGIN_REQ, Tick{0} - 5), Contains("earlier than the present"));
}

TEST_CASE_METHOD(Fixture, "a released transaction is detected") {
  SECTION("before it begins") {
    Payload& payload = pool.acquire(job);
    payload.release();
    CHECK_THROWS_WITH(bench.forward(payload, tlm::BEGIN_REQ), Contains("has been released"));
  }
  SECTION("while it is outstanding") {
    Payload& payload = pool.acquire(job);
    bench.forward(payload, tlm::BEGIN_REQ);
    payload.release();
    CHECK_THROWS_WITH(bench.backward(payload, tlm::END_REQ), Contains("has been released"));
  }
  SECTION("without a memory manager") {
    Payload payload;
    CHECK_THROWS_WITH(bench.forward(payload, tlm::BEGIN_REQ), Contains("no memory manager"));
  }
}

TEST_CASE_METHOD(Fixture, "the initiator may release a transaction in the call that ends it") {
  Payload& payload = pool.acquire(job);
  bench.on_backward = [](Payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
    p.release();
    return tlm::TLM_COMPLETED;
  };
  bench.forward(payload, tlm::BEGIN_REQ);
  bench.backward(payload, tlm::BEGIN_RESP);
  CHECK(bench.checker.outstanding() == 0);
  CHECK(&pool.acquire(job) == &payload);  // the payload has been returned to the pool
}

TEST_CASE_METHOD(Fixture, "blocking calls pass and are kept apart from phases") {
  Payload& payload = pool.acquire(job);
  sc_core::sc_time delay;
  bench.on_blocking = [&](Payload& p) {
    CHECK_THROWS_WITH(bench.forward(p, tlm::BEGIN_REQ), Contains("in use"));
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  bench.initiator->b_transport(payload, delay);
  CHECK(bench.checker.outstanding() == 0);
  bench.forward(payload, tlm::BEGIN_REQ);
  CHECK_THROWS_WITH(bench.initiator->b_transport(payload, delay),
                    Contains("b_transport with a transaction that is in"));
  CHECK(bench.checker.outstanding_histories() != "");
}

TEST_CASE_METHOD(Fixture, "a blocking call that throws is over") {
  Payload& payload = pool.acquire(job);
  sc_core::sc_time delay;
  bench.on_blocking = [](Payload&) { throw std::runtime_error("the target fails"); };
  CHECK_THROWS_AS(bench.initiator->b_transport(payload, delay), std::runtime_error);
  CHECK(bench.checker.outstanding() == 0);
}

TEST_CASE_METHOD(Fixture, "debug transport and direct memory access pass") {
  Payload& payload = pool.acquire(job);
  tlm::tlm_dmi dmi;
  CHECK(bench.initiator->transport_dbg(payload) == 17);
  CHECK(bench.initiator->get_direct_mem_ptr(payload, dmi));
  CHECK(dmi.get_start_address() == 42);
  bench.target->invalidate_direct_mem_ptr(10, 15);
  CHECK(bench.invalidated == 5);
}

DECLARE_EXTENDED_PHASE(PROGRESS);

TEST_CASE_METHOD(Fixture, "extended phases pass unchecked") {
  Payload& payload = pool.acquire(job);
  bench.on_backward = answer(tlm::TLM_UPDATED, tlm::END_RESP, 1);
  CHECK(bench.backward(payload, PROGRESS) == tlm::TLM_UPDATED);
  CHECK(bench.checker.outstanding() == 0);
}

TEST_CASE("the base protocol can be checked as well") {
  Kernel kernel;
  Bench<tlm::tlm_base_protocol_types> bench("bench");
  sc_core::sc_start(to_sc_time(nanosecond));
  Payload payload;
  sc_core::sc_time delay;
  bench.initiator->b_transport(payload, delay);
  CHECK_THROWS_WITH(bench.backward(payload, tlm::END_REQ), Contains("no memory manager"));
}

// --- contents of payloads

TEST_CASE_METHOD(Fixture, "attributes must not change during a transaction") {
  Payload& payload = pool.acquire(job);
  payload.set_address(8);
  bench.forward(payload, tlm::BEGIN_REQ);
  SECTION("the target's call") {
    payload.set_address(16);
    CHECK_THROWS_WITH(bench.backward(payload, tlm::END_REQ), Contains("has changed since BEGIN_REQ"));
  }
  SECTION("another job") {
    EccJob other;
    payload.get_extension<JobExtension<EccJob>>()->job = &other;
    CHECK_THROWS_WITH(bench.backward(payload, tlm::BEGIN_RESP), Contains("has changed since BEGIN_REQ"));
  }
  SECTION("in the call") {
    bench.on_backward = [](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
      p.set_data_length(3);
      phase = tlm::END_RESP;
      return tlm::TLM_UPDATED;
    };
    CHECK_THROWS_WITH(bench.backward(payload, tlm::BEGIN_RESP), Contains("has changed since BEGIN_REQ"));
  }
  SECTION("an attribute that a target may set") {
    payload.set_dmi_allowed(true);
    CHECK_NOTHROW(bench.backward(payload, tlm::BEGIN_RESP));
  }
}

TEST_CASE_METHOD(Fixture, "a request must begin without a status, and a response with one") {
  Payload& payload = pool.acquire(job);
  bench.resets_status = bench.sets_status = false;
  SECTION("a status left over") {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    CHECK_THROWS_WITH(bench.forward(payload, tlm::BEGIN_REQ), Contains("a request begins with a response status"));
  }
  SECTION("by call") {
    bench.forward(payload, tlm::BEGIN_REQ);
    CHECK_THROWS_WITH(bench.backward(payload, tlm::BEGIN_RESP), Contains("without a response status"));
  }
  SECTION("completed at once") {
    bench.on_forward = [](auto&...) { return tlm::TLM_COMPLETED; };
    CHECK_THROWS_WITH(bench.forward(payload, tlm::BEGIN_REQ), Contains("without a response status"));
  }
  SECTION("blocking") {
    bench.on_blocking = [](Payload&) {};
    sc_core::sc_time delay;
    CHECK_THROWS_WITH(bench.initiator->b_transport(payload, delay), Contains("without a response status"));
  }
}

TEST_CASE_METHOD(Fixture, "a job socket's payload must carry a job") {
  Payload& payload = pool.acquire(job);
  payload.get_extension<JobExtension<EccJob>>()->job = nullptr;
  CHECK_THROWS_WITH(bench.forward(payload, tlm::BEGIN_REQ), Contains("a payload carries no job"));
  sc_core::sc_time delay;
  CHECK_THROWS_WITH(bench.initiator->b_transport(payload, delay), Contains("a payload carries no job"));
}

TEST_CASE("b_transport must come from a process that can wait") {
  struct Method final : sc_core::sc_module {
    SC_HAS_PROCESS(Method);
    Method(const sc_core::sc_module_name& name, Bench<JobProtocol<EccJob>>& of) : sc_module(name), bench(of) {
      SC_METHOD(call);
    }
    void call() {
      sc_core::sc_time delay;
      CHECK_THROWS_WITH(bench.initiator->b_transport(pool.acquire(job), delay),
                        Contains("called from method.call, an SC_METHOD, which cannot wait"));
    }
    Bench<JobProtocol<EccJob>>& bench;
    EccJob job;
    JobPayloadPool<EccJob> pool;
  };
  Kernel kernel;
  Bench<JobProtocol<EccJob>> bench("bench");
  Method method("method", bench);
  sc_core::sc_start(to_sc_time(nanosecond));
}

}  // namespace
}  // namespace nandscape
