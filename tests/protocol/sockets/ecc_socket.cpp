// SPDX-License-Identifier: Apache-2.0
// Tests the sockets between the controller and an ECC engine. An external block may be at either end of a socket. Jobs
// must then pass at the same times and with the same results as between the built-in blocks, at every quantum.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <memory>
#include <optional>
#include <vector>

#include "ecc/engine_module.h"
#include "ecc/page_coders/threshold_coder.h"
#include "socket_cases.h"

namespace nandscape {
namespace {

ecc::EccParameters parameters_of(bool takes_time) {
  ecc::EccParameters p;
  p.t_decode_us = takes_time ? 20 : 0;
  p.decode_mb_s = takes_time ? 1000 : 1e12;
  return p;
}

std::unique_ptr<ecc::PageCoder> make_coder() { return std::make_unique<ecc::ThresholdCoder>(10); }

// Returns jobs of which some are correctable and the others are not.
std::vector<EccJob> make_jobs() {
  std::vector<EccJob> jobs(6);
  for (std::uint32_t k = 0; k < jobs.size(); ++k) {
    jobs[k].bytes = 4096;
    jobs[k].raw_bit_errors = jobs[k].worst_codeword_errors = 7 + k;
  }
  return jobs;
}

// Does the work of an external engine, with the times and the decoder of the built-in engine.
class EngineService final : public Service {
 public:
  explicit EngineService(const ecc::EccParameters& p) : engine_(p, make_coder()) {}

 private:
  Times begin(tlm::tlm_generic_payload& payload, Tick now) override {
    EccJob& job = job_of<EccJob>(payload);
    const Tick room = engine_.room(job.kind, now);
    return {room, engine_.accept(job, room)};
  }
  ecc::EccEngine engine_;
};

// A built-in engine whose decoder is tested. Its encoder is unused, but its socket must be bound.
struct BuiltInEngine {
  BuiltInEngine(Calendar& calendar, const ecc::EccParameters& p)
      : codes{{.parameters = p}}, module("engine", calendar, codes, p, make_coder()), unused("unused", no_jobs, {}) {
    unused.socket.bind(module.encode_socket());
  }
  JobTargetSocket<EccJob>& socket() { return module.decode_socket(); }

  std::vector<ecc::PageCode> codes;
  ecc::EccEngineModule module;
  std::vector<EccJob> no_jobs;
  ForeignInitiator<EccJob> unused;
};

Passages run(Bench& bench, const std::vector<EccJob>& jobs, const Passages& passages) {
  bench.run();
  for (const EccJob& job : jobs) {
    CHECK(job.uncorrectable == (job.raw_bit_errors > 10));
    CHECK(job.corrected_bits == (job.uncorrectable ? 0 : job.raw_bit_errors));
  }
  return passages;
}

Passages built_in(bool takes_time, std::size_t batch, Tick quantum) {
  Bench bench(quantum, false);
  std::vector<EccJob> jobs = make_jobs();
  PortInitiator<EccJob> initiator("initiator", bench.calendar, jobs, batch);
  BuiltInEngine engine(bench.calendar, parameters_of(takes_time));
  const Link<EccJob> link(initiator.socket(), engine.socket());
  return run(bench, jobs, initiator.passages);
}

Passages with_target(TargetCase target, bool takes_time, std::size_t batch, Tick quantum) {
  Bench bench(quantum, !answers_in_the_call(target.answer));
  std::vector<EccJob> jobs = make_jobs();
  PortInitiator<EccJob> initiator("initiator", bench.calendar, jobs, batch);
  EngineService service(parameters_of(takes_time));
  ForeignTarget<JobProtocol<EccJob>> engine("engine", service, target.answer, target.process);
  const Link<EccJob> link(initiator.socket(), engine.socket);
  return run(bench, jobs, initiator.passages);
}

Passages with_initiator(const ForeignInitiator<EccJob>::Case& how, bool takes_time, Tick quantum) {
  Bench bench(quantum, true);
  std::vector<EccJob> jobs = make_jobs();
  ForeignInitiator<EccJob> initiator("initiator", jobs, how);
  BuiltInEngine engine(bench.calendar, parameters_of(takes_time));
  const Link<EccJob> link(initiator.socket, engine.socket());
  return run(bench, jobs, initiator.passages);
}

TEST_CASE("ECC socket: every engine gives the ticks and the results of ours") {
  const bool takes_time = GENERATE(true, false);
  // In a batch of three, the second and the third job wait for room in the FIFO.
  const std::size_t batch = GENERATE(1u, 3u);
  const Passages ours = built_in(takes_time, batch, 0);
  const Tick quantum = any_quantum();
  CAPTURE(takes_time, batch, quantum);
  CHECK(built_in(takes_time, batch, quantum) == ours);
  for (const TargetCase& target : target_cases()) {
    if (batch != 1 && !takes_several(target)) continue;
    CAPTURE(target.answer, target.process);
    CHECK(with_target(target, takes_time, batch, quantum) == expected(ours, target));
  }
}

TEST_CASE("ECC socket: every initiator gets the ticks and the results of ours") {
  const bool takes_time = GENERATE(true, false);
  const Passages ours = built_in(takes_time, 1, 0);
  const Tick quantum = any_quantum();
  CAPTURE(takes_time, quantum);
  for (const auto& how : initiator_cases<EccJob>(some_time)) {
    CAPTURE(how.end, how.method, how.ahead);
    CHECK(with_initiator(how, takes_time, quantum) == expected(ours, how.end));
  }
}

}  // namespace
}  // namespace nandscape
