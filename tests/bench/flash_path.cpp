// SPDX-License-Identifier: Apache-2.0
// Measures the simulation speed of the drive without host and front end: random accesses to whole pages are submitted
// directly to the controller, at a fixed queue depth.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>

#include "core/random.h"
#include "platform/wiring/calendar_module.h"
#include "platform/wiring/ssd.h"

namespace {

using namespace nandscape;

class Reader final : public StorageClient {
 public:
  Reader(Calendar& calendar, controller::Ftl& device, std::uint64_t reads, int read_percent)
      : calendar_(calendar), device_(device), left_(reads), read_percent_(read_percent) {
    device.set_client(*this);
  }

  void start(int depth) {
    for (int k = 0; k < depth; ++k) issue(accesses_.emplace_back(), 0);
  }

  void completed(PageAccess& access, Tick now) override {
    if (left_ == 0) {
      calendar_.stop();
      return;
    }
    issue(access, now);
  }

 private:
  void issue(PageAccess& access, Tick now) {
    --left_;
    access.kind = static_cast<int>(random_.below(100)) < read_percent_ ? AccessKind::read : AccessKind::write;
    access.lpn = Lpn(random_.below(device_.logical_pages()));
    access.sector_count = static_cast<std::uint16_t>(device_.page_bytes() / sector_bytes);
    device_.submit(access, now);
  }

  Calendar& calendar_;
  controller::Ftl& device_;
  std::uint64_t left_;
  int read_percent_;
  RandomStream random_{1, "bench"};
  std::deque<PageAccess> accesses_;
};

}  // namespace

int main(int argc, char** argv) {
  const int read_percent = argc > 1 ? std::atoi(argv[1]) : 100;
  const std::uint64_t reads = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2'000'000;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, millisecond);
  PlatformParameters parameters;
  parameters.nand.geometry.chips_per_channel = 4;
  parameters.nand.geometry.dies_per_chip = 1;
  Ssd device({}, {parameters, calendar});
  Reader reader(calendar, device.ftl(), reads, read_percent);
  reader.start(64);
  const auto begin = std::chrono::steady_clock::now();
  driver.run(never);
  driver.rethrow();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  std::printf("%.0f pages/s, %.0f ns per page, %.1f events per page, simulated %.0f pages/s\n",
              static_cast<double>(reads) / wall.count(), wall.count() / static_cast<double>(reads) * 1e9,
              static_cast<double>(calendar.events_run()) / static_cast<double>(reads),
              static_cast<double>(reads) / s_from_ticks(calendar.now()));
}
