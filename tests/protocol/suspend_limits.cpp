// SPDX-License-Identifier: Apache-2.0
// Tests the limits on suspending a program for host reads: how often it may be suspended, and how soon again after a
// resume.
#include "catch.h"
#include "scheduler_bench.h"

namespace nandscape {
namespace {

using namespace small_times;
using enum NandOperation;

constexpr Tick read_time = read_command + t_read[0] + page_out;

// Submits a program at time 0, and then reads at a constant interval.
std::vector<SchedulerBench::Asked*> read_during_program(SchedulerBench& h, int reads, Tick interval) {
  std::vector<SchedulerBench::Asked*> all;
  h.at(0, OpKind::host_write);
  for (int k = 1; k <= reads; ++k) all.push_back(&h.at(k * interval, OpKind::host_read, 1, 3));
  return all;
}

TEST_CASE("an operation suspended often enough runs to its end") {
  FlashDeviceParameters p = small_device();
  const std::uint32_t limit = GENERATE(0u, 1u, 2u);
  p.controller.scheduler.max_suspends = limit;
  SchedulerBench h(p);
  const auto reads = read_during_program(h, 4, 200 * us);
  h.run();
  const std::uint32_t expected = limit == 0 ? 4 : limit;
  CHECK(h.of(suspend).size() == expected);
  CHECK(h.scheduler.counters().suspends == expected);
  for (std::size_t k = 0; k < reads.size(); ++k) {
    const bool at_once = reads[k]->latency() == control_command + t_suspend + read_time;
    CHECK(at_once == (k < expected));
  }
}

TEST_CASE("an operation runs for a minimum time before it is suspended, and again after each resume") {
  FlashDeviceParameters p = small_device();
  p.controller.scheduler.min_run_us = 300;
  SchedulerBench h(p);
  h.at(0, OpKind::host_write);
  for (const Tick at : {100 * us, 600 * us}) h.at(at, OpKind::host_read, 1, 3);
  h.run();
  const std::vector<SchedulerBench::Sent> suspends = h.of(suspend);
  const std::vector<SchedulerBench::Sent> resumes = h.of(resume);
  REQUIRE(suspends.size() == 2);
  REQUIRE(resumes.size() == 2);
  CHECK(suspends[0].at == program_command + 300 * us);
  CHECK(suspends[1].at == resumes[0].at + control_command + 300 * us);
}

}  // namespace
}  // namespace nandscape
