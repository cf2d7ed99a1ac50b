// SPDX-License-Identifier: Apache-2.0
// Tests requests from end to end: from the driver over the link and the controller to the device and back, through
// SystemC sockets.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>

#include "catch.h"
#include "unit/host/controller_harness.h"
#include "unit/host/host_bench.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

class ListedRequests final : public WorkloadSource {
 public:
  explicit ListedRequests(std::vector<HostRequest> requests) : requests_(std::move(requests)) {}
  bool next(HostRequest& request) override {
    if (next_ == requests_.size()) return false;
    request = requests_[next_++];
    return true;
  }

 private:
  std::vector<HostRequest> requests_;
  std::size_t next_ = 0;
};

struct Completions final : RequestObserver {
  struct Entry {
    HostRequest request;
    Tick start;
    Tick end;
    nvme::Status status;
  };
  void completed(std::size_t, const DriverRequest& request, Tick now) override {
    entries.push_back({request.request, request.start, now, request.status});
  }
  std::vector<Entry> entries;
};

HostRequest read_of(std::uint64_t first, std::uint64_t sectors, Tick at = 0) {
  return {RequestKind::read, Lba(first), sectors, at};
}

// Runs one request that does not belong to a workload, and returns its status.
nvme::Status run_single(HostBench& bench, const HostRequest& request, std::byte* data) {
  nvme::Status result = nvme::Status::internal_error;
  bench.driver.driver().submit(request, data, [&](nvme::Status status, Tick) { result = status; });
  bench.run_for(second);
  return result;
}

constexpr double byte_ps = 253.90625;  // generation 3, four lanes
constexpr Tick propagation = 150 * nanosecond;
Tick wire(double bytes) { return static_cast<Tick>(bytes * byte_ps + 0.5); }

}  // namespace

TEST_CASE("the driver starts the controller and identifies it") {
  HostBench bench;
  bench.start();
  REQUIRE(bench.driver.driver().ready());
  const ControllerFacts& facts = bench.driver.driver().controller();
  CHECK(facts.namespace_sectors == (std::uint64_t{1} << 16) * 32);
  CHECK(facts.max_transfer_bytes == 256 * 1024);
  CHECK(facts.max_queue_entries == 1024);
}

TEST_CASE("a read takes the sum of its parts") {
  for (const bool keep_data : {false, true}) {
    HostBenchSettings settings;
    settings.keep_data = keep_data;
    HostBench bench(settings);
    ListedRequests source({read_of(0, 32)});
    Completions completions;
    bench.driver.driver().add_workload(source, {}, completions);
    bench.start();
    bench.driver.driver().start_workloads();
    bench.run_for(second);
    REQUIRE(completions.entries.size() == 1);

    const Tick doorbell = wire(24 + 4) + propagation;
    const Tick fetch = wire(24) + propagation + wire(64 + 20) + propagation;
    const Tick flash = 90 * microsecond;  // the PRP list is fetched while the device reads
    const Tick data = wire(16384 + 64 * 24);
    const Tick entry = wire(16 + 24);
    const Tick interrupt = wire(4 + 20);  // below 4 GiB
    const Tick expected = doorbell + fetch + flash + data + entry + interrupt + propagation;
    CHECK(completions.entries[0].end - completions.entries[0].start == expected);
    CHECK(completions.entries[0].status == nvme::Status::success);
  }
}

TEST_CASE("commands carry the class of their workload's queue, and single ones the medium class") {
  for (const bool weighted : {false, true}) {
    HostBenchSettings settings;
    if (weighted) settings.nvme.arbitration = ArbitrationMechanism::weighted_round_robin;
    HostBench bench(settings);
    std::deque<ListedRequests> sources;
    Completions completions;
    for (const auto priority :
         {PriorityClass::urgent, PriorityClass::high, PriorityClass::medium, PriorityClass::low}) {
      const auto place = static_cast<std::uint64_t>(priority) * 1024;
      sources.emplace_back(std::vector{read_of(place, 32), HostRequest{RequestKind::write, Lba(place), 32},
                                       HostRequest{RequestKind::trim, Lba(place), 32},
                                       HostRequest{RequestKind::flush}});
      bench.driver.driver().add_workload(sources.back(), {.queue_depth = 1, .priority = priority}, completions);
    }
    bench.start();
    bench.device.keep_log = true;
    bench.driver.driver().start_workloads();
    bench.run_for(second);
    REQUIRE(completions.entries.size() == 16);
    CHECK(bench.device.log.size() == 16);
    for (const PageAccess& access : bench.device.log)
      CHECK(static_cast<std::uint16_t>(access.priority) == access.stream);
    bench.device.log.clear();
    std::vector<std::byte> data(32 * 512);
    REQUIRE(run_single(bench, read_of(0, 32), data.data()) == nvme::Status::success);
    CHECK(bench.device.log.at(0).priority == PriorityClass::medium);
  }
}

TEST_CASE("the driver sets the weights of the classes, with the burst that the controller recommends") {
  HostBenchSettings settings;
  settings.nvme.arbitration = ArbitrationMechanism::weighted_round_robin;
  settings.nvme.arbitration_burst = 0;
  settings.nvme.fetches = 1;
  settings.nvme.command_slots = 1;  // one slot, so that the order in which commands are fetched determines the result
  settings.driver.high_weight = 5;
  settings.driver.medium_weight = 3;
  settings.driver.low_weight = 2;
  HostBench bench(settings);
  std::deque<ListedRequests> sources;
  Completions completions;
  for (const auto priority : {PriorityClass::high, PriorityClass::medium, PriorityClass::low}) {
    sources.emplace_back(std::vector<HostRequest>(400, read_of(static_cast<std::uint64_t>(priority) * 1024, 32)));
    bench.driver.driver().add_workload(sources.back(), {.queue_depth = 32, .priority = priority}, completions);
  }
  bench.start();
  bench.device.keep_log = true;
  bench.driver.driver().start_workloads();
  bench.run_for(second);
  REQUIRE(bench.device.log.size() == 1200);
  std::array<int, 3> served{};
  for (std::size_t k = 0; k < 500; ++k) ++served[bench.device.log[k].stream];
  CHECK(std::abs(served[0] - 250) <= 5);
  CHECK(std::abs(served[1] - 150) <= 3);
  CHECK(std::abs(served[2] - 100) <= 2);
}

TEST_CASE("processor time of the driver adds to the latency") {
  const auto latency = [](double submit_ns, double completion_ns) {
    HostBenchSettings settings;
    settings.driver.submit_ns = submit_ns;
    settings.driver.completion_ns = completion_ns;
    HostBench bench(settings);
    ListedRequests source({read_of(0, 32), read_of(32, 32)});
    Completions completions;
    WorkloadSettings one;
    one.queue_depth = 1;
    bench.driver.driver().add_workload(source, one, completions);
    bench.start();
    bench.driver.driver().start_workloads();
    bench.run_for(second);
    REQUIRE(completions.entries.size() == 2);
    return completions.entries[0].end - completions.entries[0].start;
  };
  CHECK(latency(500, 700) == latency(0, 0) + 1200 * nanosecond);
}

TEST_CASE("written data read back, whatever their size and place") {
  for (const std::uint32_t memory_page : {4096u, 16384u}) {
    HostBenchSettings settings;
    settings.driver.memory_page_bytes = memory_page;
    HostBench bench(settings);
    bench.start();
    const std::uint64_t places[] = {0, 7, 1000, 33333};
    const std::uint64_t sizes[] = {1, 8, 31, 200, 512, 5000};  // the last needs several commands
    std::uint32_t seed = 0;
    for (const std::uint64_t first : places) {
      for (const std::uint64_t sectors : sizes) {
        auto data = pattern(sectors * 512, ++seed);
        REQUIRE(run_single(bench, {RequestKind::write, Lba(first), sectors, 0}, data.data()) == nvme::Status::success);
        std::vector<std::byte> back(data.size());
        REQUIRE(run_single(bench, read_of(first, sectors), back.data()) == nvme::Status::success);
        CHECK(back == data);
      }
    }
    std::vector<std::byte> back(64 * 512);
    REQUIRE(run_single(bench, {RequestKind::trim, Lba(992), 64, 0}, nullptr) == nvme::Status::success);
    REQUIRE(run_single(bench, read_of(992, 64), back.data()) == nvme::Status::success);
    CHECK(std::all_of(back.begin(), back.end(), [](std::byte b) { return b == std::byte{0}; }));
    REQUIRE(run_single(bench, {RequestKind::write_zeroes, Lba(0), 70000, 0}, nullptr) == nvme::Status::success);
    REQUIRE(run_single(bench, read_of(33333, 64), back.data()) == nvme::Status::success);
    CHECK(std::all_of(back.begin(), back.end(), [](std::byte b) { return b == std::byte{0}; }));
    CHECK(run_single(bench, {RequestKind::flush, Lba(0), 0, 0}, nullptr) == nvme::Status::success);
    CHECK(run_single(bench, read_of(std::uint64_t{1} << 30, 8), back.data()) == nvme::Status::lba_out_of_range);
  }
}

TEST_CASE("a controller with few slots continues when a slot is freed behind a data transfer") {
  HostBenchSettings settings;
  settings.nvme.command_slots = GENERATE(1u, 2u);
  settings.nvme.data_transfers = 1;
  HostBench bench(settings);
  std::vector<HostRequest> requests;
  // Each command has four pages. All pages except the first must wait for the previous transfer, and the last page
  // completes the command.
  for (std::uint64_t k = 0; k < 20; ++k) requests.push_back(read_of(k * 128, 128));
  ListedRequests source(requests);
  Completions completions;
  bench.driver.driver().add_workload(source, {}, completions);
  bench.start();
  bench.driver.driver().start_workloads();
  bench.run_for(second);
  CHECK(completions.entries.size() == 20);
}

TEST_CASE("a closed loop keeps its depth, and thinks before each request") {
  HostBench bench;
  std::vector<HostRequest> requests;
  for (std::uint64_t k = 0; k < 100; ++k) requests.push_back(read_of(k * 32, 1, k < 4 ? 0 : 10 * microsecond));
  ListedRequests source(requests);
  Completions completions;
  WorkloadSettings settings;
  settings.queue_depth = 4;
  bench.driver.driver().add_workload(source, settings, completions);
  bench.start();
  bench.driver.driver().start_workloads();
  bench.run_for(second);
  REQUIRE(completions.entries.size() == 100);
  CHECK(bench.driver.driver().workloads_done());
  for (std::size_t k = 4; k < 100; ++k) {
    CHECK(completions.entries[k].start == completions.entries[k - 4].end + 10 * microsecond);
  }
}

TEST_CASE("an open loop issues at the request's time, and counts waiting as latency") {
  HostBench bench;
  std::vector<HostRequest> requests;
  for (std::uint64_t k = 0; k < 6; ++k) requests.push_back(read_of(k * 32, 1, k * microsecond));
  ListedRequests source(requests);
  Completions completions;
  WorkloadSettings settings;
  settings.mode = IssueMode::open_loop;
  settings.queue_depth = 2;
  bench.driver.driver().add_workload(source, settings, completions);
  bench.start();
  const Tick start = bench.calendar.now();
  bench.driver.driver().start_workloads();
  bench.run_for(second);
  REQUIRE(completions.entries.size() == 6);
  CHECK(bench.driver.driver().workloads_done());
  for (std::size_t k = 0; k < 6; ++k) CHECK(completions.entries[k].start == start + k * microsecond);
  // The fifth request must wait for the third, which must wait for the first.
  CHECK(completions.entries[4].end - completions.entries[4].start > 3 * 90 * microsecond - 4 * microsecond);
  CHECK(completions.entries[1].end - completions.entries[1].start < 92 * microsecond);
}

TEST_CASE("reads on a busy link run at its rate") {
  HostBenchSettings settings;
  settings.keep_data = false;
  HostBench bench(settings);
  std::vector<HostRequest> requests;
  for (std::uint64_t k = 0; k < 4000; ++k) requests.push_back(read_of(k % 1000 * 32, 32));
  ListedRequests source(requests);
  Completions completions;
  bench.driver.driver().add_workload(source, {}, completions);
  bench.start();
  bench.driver.driver().start_workloads();
  bench.run_for(second);
  REQUIRE(completions.entries.size() == 4000);
  // Bytes per read in the direction to the host: data, completion entry and interrupt, the read request for the PRP
  // list, and a share of a read request for submission entries.
  const Tick span = completions.entries[3999].end - completions.entries[999].end;
  const double per_read = static_cast<double>(span) / 3000;
  const double least = (16384 + 64 * 24 + 40 + 24 + 24) * byte_ps;
  CHECK(per_read > least);
  CHECK(per_read < least + 24 * byte_ps * 1.05);
}

TEST_CASE("registers accept the accesses of a foreign processor, and refuse invalid ones") {
  HostBench bench;
  const auto access = [&](tlm::tlm_command command, std::uint64_t address, std::uint64_t& value, unsigned length) {
    tlm::tlm_generic_payload trans;
    trans.set_command(command);
    trans.set_address(address);
    trans.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    trans.set_data_length(length);
    trans.set_streaming_width(length);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    bench.driver.registers->b_transport(trans, delay);
    return std::pair(trans.get_response_status(), Tick{delay.value()});
  };
  std::uint64_t value = 0;
  auto [status, time] = access(tlm::TLM_READ_COMMAND, nvme::reg::cap, value, 8);
  CHECK(status == tlm::TLM_OK_RESPONSE);
  CHECK((value & 0xffff) == 1023);
  CHECK((value >> 37 & 1) == 1);
  CHECK(time == wire(24) + propagation + wire(20 + 8) + propagation);

  value = 0x1'2345'6000;
  std::tie(status, time) = access(tlm::TLM_WRITE_COMMAND, nvme::reg::asq, value, 8);
  CHECK(status == tlm::TLM_OK_RESPONSE);
  value = 0;
  access(tlm::TLM_READ_COMMAND, nvme::reg::asq, value, 8);
  CHECK(value == 0x1'2345'6000);

  // A read of a byte or a 16-bit word must return its part of the 32-bit register. A write must change only its part.
  value = 0;
  CHECK(access(tlm::TLM_READ_COMMAND, nvme::reg::asq + 2, value, 2).first == tlm::TLM_OK_RESPONSE);
  CHECK(value == 0x2345);
  value = 0;
  CHECK(access(tlm::TLM_READ_COMMAND, nvme::reg::asq + 1, value, 1).first == tlm::TLM_OK_RESPONSE);
  CHECK(value == 0x60);
  value = 0x77;
  CHECK(access(tlm::TLM_WRITE_COMMAND, nvme::reg::asq + 3, value, 1).first == tlm::TLM_OK_RESPONSE);
  value = 0xabcd;
  CHECK(access(tlm::TLM_WRITE_COMMAND, nvme::reg::asq + 6, value, 2).first == tlm::TLM_OK_RESPONSE);
  access(tlm::TLM_READ_COMMAND, nvme::reg::asq, value, 8);
  CHECK(value == 0xabcd'0001'7745'6000);
  // In a register where writing ones has an effect, such a write must not affect the neighbouring bytes.
  value = 0xff;
  access(tlm::TLM_WRITE_COMMAND, nvme::reg::intms + 1, value, 1);
  value = 0x0f;
  access(tlm::TLM_WRITE_COMMAND, nvme::reg::intmc + 1, value, 1);
  value = 0;
  access(tlm::TLM_READ_COMMAND, nvme::reg::intms, value, 4);
  CHECK(value == 0xf000);

  CHECK(access(tlm::TLM_WRITE_COMMAND, nvme::reg::doorbells, value, 2).first == tlm::TLM_BURST_ERROR_RESPONSE);
  CHECK(access(tlm::TLM_READ_COMMAND, nvme::reg::cap, value, 3).first == tlm::TLM_BURST_ERROR_RESPONSE);
  CHECK(access(tlm::TLM_READ_COMMAND, nvme::reg::cap + 2, value, 4).first == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(access(tlm::TLM_READ_COMMAND, nvme::reg::bar_bytes, value, 4).first == tlm::TLM_ADDRESS_ERROR_RESPONSE);

  tlm::tlm_generic_payload debug;
  std::uint32_t version = 0;
  debug.set_read();
  debug.set_address(nvme::reg::vs);
  debug.set_data_ptr(reinterpret_cast<unsigned char*>(&version));
  debug.set_data_length(4);
  CHECK(bench.driver.registers->transport_dbg(debug) == 4);
  CHECK(version == nvme::version_1_4);
}

TEST_CASE("a read costs four events besides the device's events") {
  HostBenchSettings settings;
  settings.keep_data = false;
  HostBench bench(settings);
  std::vector<HostRequest> requests;
  for (std::uint64_t k = 0; k < 100; ++k) requests.push_back(read_of(k * 32, 32));
  ListedRequests source(requests);
  Completions completions;
  WorkloadSettings one;
  one.queue_depth = 1;
  bench.driver.driver().add_workload(source, one, completions);
  bench.start();
  const std::uint64_t before = bench.calendar.events_run();
  bench.driver.driver().start_workloads();
  bench.run_for(second);
  // Events per read: doorbell, entry, PRP list, device, data and interrupt.
  CHECK(bench.calendar.events_run() - before == 100 * 5);
}
