// SPDX-License-Identifier: Apache-2.0
// Tests DMA of the built-in NVMe controller with every kind of target. An external link or memory may answer reads,
// writes and interrupts in any way that TLM-2.0 allows, from methods or from threads. The data and the times must be
// the same at every quantum.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <optional>
#include <vector>

#include "fakes/fake_storage.h"
#include "host/driver/driver_module.h"
#include "host/memory/host_memory_module.h"
#include "host/nvme/nvme_module.h"
#include "socket_cases.h"

namespace nandscape::host {
namespace {

// Does the work of an external memory in which all accesses last equally long.
class MemoryService final : public sc_core::sc_module, public Service, private tlm::tlm_bw_transport_if<> {
 public:
  MemoryService(const sc_core::sc_module_name& name, HostMemoryModule& memory, Tick request, Tick access)
      : sc_module(name), request_takes_(request), access_takes_(access) {
    memory_.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    memory_.bind(memory.target);
  }

 private:
  Times begin(tlm::tlm_generic_payload& payload, Tick now) override {
    const Times times{now + request_takes_, now + request_takes_ + access_takes_};
    sc_core::sc_time delay = to_sc_time(times.response_begins) - sc_core::sc_time_stamp();
    memory_->b_transport(payload, delay);
    const tlm::tlm_response_status status = payload.get_response_status();
    CHECK(status == tlm::TLM_OK_RESPONSE);
    return times;
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  tlm::tlm_initiator_socket<32> memory_{"memory"};
  const Tick request_takes_;
  const Tick access_takes_;
};

// Runs requests that begin at fixed times, and returns the times at which they end. Without a case, the memory is the
// built-in memory, whose accesses take no time.
std::vector<Tick> run(const std::optional<TargetCase>& target, bool takes_time, Tick quantum) {
  Bench bench(quantum, target && !answers_in_the_call(target->answer));
  HostMemory memory(std::uint64_t{16} << 30);
  FakeStorage storage(bench.calendar, 4096, 4096, 1, 9 * microsecond);
  DriverModule host("host", bench.calendar, {}, memory);
  HostMemoryModule memory_module("memory", bench.calendar, memory, host.driver());
  NvmeModule nvme("nvme", bench.calendar, {}, storage, true);
  host.registers.bind(nvme.registers);
  std::optional<MemoryService> service;
  ProtocolChecker<> checker("checker");
  nvme.dma.bind(checker.target);
  std::optional<ForeignTarget<tlm::tlm_base_protocol_types>> foreign;
  if (target) {
    service.emplace("service", memory_module, takes_time ? 11 * nanosecond : 0, takes_time ? 170 * nanosecond : 0);
    foreign.emplace("foreign", *service, target->answer, target->process);
    checker.initiator.bind(foreign->socket);
  } else {
    checker.initiator.bind(memory_module.target);
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  bench.driver.share_time({[&] { return checker.outstanding() != 0; }, {}});
  const auto go_to = [&](Tick time) {
    bench.driver.run(time);
    bench.driver.rethrow();
  };
  std::vector<Tick> ends;
  bool up = false;
  host.driver().start([&] { up = true; });
  go_to(10 * millisecond);
  REQUIRE(up);
  std::vector<std::byte> given(32768), found(32768);
  for (std::size_t k = 0; k < given.size(); ++k) given[k] = static_cast<std::byte>(k * 7 >> 3);
  Tick at = 10 * millisecond;
  for (const RequestKind kind : {RequestKind::write, RequestKind::read}) {
    // Submits several requests at the same time.
    for (std::uint32_t k = 0; k < 4; ++k) {
      host.driver().submit({kind, Lba(16 * k), 16}, (kind == RequestKind::write ? given : found).data() + 8192 * k,
                           [&](nvme::Status status, Tick now) {
                             CHECK(status == nvme::Status::success);
                             ends.push_back(now);
                           });
    }
    go_to(at += millisecond);
  }
  CHECK(ends.size() == 8);
  CHECK(found == given);
  CHECK(checker.outstanding_histories() == "");
  return ends;
}

TEST_CASE("DMA: every target gives the NVMe controller the same data at the same ticks") {
  const Tick quantum = any_quantum();
  const std::vector<Tick> ours = run({}, false, 0);
  CHECK(run({}, false, quantum) == ours);
  const std::vector<Tick> told = run(TargetCase{Answer::calls, Process::method}, true, 0);
  const std::vector<Tick> implied = run(TargetCase{Answer::completed, Process::method}, true, 0);
  for (const TargetCase& target : target_cases()) {
    // These targets handle only one transfer at a time, but here several are outstanding at once.
    if (target.process == Process::waiting || target.answer == Answer::announced_calls) continue;
    CAPTURE(quantum, target.answer, target.process);
    CHECK(run(target, false, quantum) == ours);
    // If a target does not send END_REQ, its request ends with the response, and the next request must wait for that.
    CHECK(run(target, true, quantum) == (tells_end_of_request(target.answer) ? told : implied));
  }
}

}  // namespace
}  // namespace nandscape::host
