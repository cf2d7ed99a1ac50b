// SPDX-License-Identifier: Apache-2.0
// Measures the cost of one random read in the host-side models, in processor time and in events. The read passes
// through driver, link and NVMe controller, and is answered after 90 us by a fake storage device.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "core/random.h"
#include "unit/host/host_bench.h"

using namespace nandscape;

namespace {

class RandomReads final : public host::WorkloadSource {
 public:
  RandomReads(std::uint64_t requests, std::uint64_t pages, std::uint64_t sectors)
      : left_(requests), pages_(pages), sectors_(sectors) {}

  bool next(host::HostRequest& request) override {
    if (left_ == 0) return false;
    --left_;
    request.first = Lba(random_.below(pages_) * 32);
    request.sectors = sectors_;
    return true;
  }

 private:
  RandomStream random_{1, "bench"};
  std::uint64_t left_;
  std::uint64_t pages_;
  std::uint64_t sectors_;
};

class Latencies final : public host::RequestObserver {
 public:
  void completed(std::size_t, const host::DriverRequest& request, Tick now) override {
    histogram.record(now - request.start);
  }
  LatencyHistogram histogram;
};

void measure(std::uint64_t requests, std::uint32_t queue_depth, std::uint32_t bytes, bool keep_data) {
  host::HostBenchSettings settings;
  settings.keep_data = keep_data;
  host::HostBench bench(settings);
  RandomReads source(requests, settings.pages, bytes / sector_bytes);
  Latencies latencies;
  host::WorkloadSettings workload;
  workload.queue_depth = queue_depth;
  bench.driver.driver().add_workload(source, workload, latencies);
  bench.start();

  const std::uint64_t events_before = bench.calendar.events_run();
  const Tick start = bench.calendar.now();
  const std::clock_t clock_start = std::clock();
  bench.driver.driver().start_workloads();
  bench.calendar.run_until(never - 1);
  const double used_s = static_cast<double>(std::clock() - clock_start) / CLOCKS_PER_SEC;
  const double count = static_cast<double>(latencies.histogram.count());
  std::printf("QD %4u, %6u B, data %d: %6.1f ns and %.2f events per read; %.0f kIOPS, mean latency %.3f us\n",
              queue_depth, bytes, keep_data, used_s * 1e9 / count,
              static_cast<double>(bench.calendar.events_run() - events_before) / count,
              count / s_from_ticks(bench.calendar.now() - start) * 1e-3, latencies.histogram.mean() * 1e-6);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t requests = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2'000'000;
  // A profiler can select one case by its letter, 'b' to 'e'; 'a' runs all cases.
  const char only = argc > 2 ? argv[2][0] : 'a';
  if (only == 'a' || only == 'b') measure(requests, 64, 16384, false);
  if (only == 'a' || only == 'c') measure(requests, 64, 4096, false);
  if (only == 'a' || only == 'd') measure(requests, 1, 16384, false);
  if (only == 'a' || only == 'e') measure(requests / 4, 64, 16384, true);
}
