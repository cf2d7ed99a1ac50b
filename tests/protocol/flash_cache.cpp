// SPDX-License-Identifier: Apache-2.0
// Tests the whole device with its cache and its firmware model. Several slots access the device concurrently. Each slot
// has its own pages and only one outstanding access, so the test knows exactly which data each read must return.
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "flash_bench.h"

namespace nandscape {
namespace {

constexpr std::uint64_t slots = 24;

FlashDeviceParameters cached_device(controller::CachePolicy policy, std::uint32_t units) {
  FlashDeviceParameters p;
  p.channel.count = 2;
  p.nand.geometry = {.chips_per_channel = 1,
                     .dies_per_chip = 2,
                     .planes_per_die = 2,
                     .blocks_per_plane = 10,
                     .pages_per_block = 9,
                     .page_bytes = 2048,
                     .spare_bytes = 128};
  p.ecc.codeword_bytes = 1024;
  p.controller.garbage_collection.start_free_blocks = 2;
  p.controller.mapping.over_provisioning = 0.8;
  p.controller.cache.policy = policy;
  p.controller.cache.capacity_bytes = std::uint64_t{units} * p.nand.geometry.page_bytes;
  p.controller.cache.prefetch_pages = 2;
  p.controller.firmware = {.cores = 2, .clock_mhz = 1000, .read_cycles = 500, .write_cycles = 900};
  return p;
}

class OwnPages {
 public:
  OwnPages(FlashBench& bench, int accesses)
      : bench_(bench),
        left_(accesses),
        pages_(bench.device.storage().logical_pages() / slots),
        sectors_(bench.device.storage().page_bytes() / sector_bytes),
        held_(pages_ * slots * sectors_),
        data_(slots, std::vector<std::uint64_t>(sectors_ * words)) {
    bench_.on_completed = [this](FlashBench::Request& request) { completed(request); };
    for (std::uint64_t slot = 0; slot < slots; ++slot) {
      PageAccess nothing;
      nothing.kind = AccessKind::flush;
      nothing.stream = static_cast<std::uint16_t>(slot);
      bench_.at(0, nothing);
    }
  }
  std::uint64_t reads = 0;

 private:
  static constexpr std::uint64_t words = sector_bytes / sizeof(std::uint64_t);

  void completed(FlashBench::Request& request) {
    PageAccess& a = request.access;
    const std::vector<std::uint64_t>& data = data_[a.stream];
    REQUIRE(a.status == AccessStatus::ok);
    const std::uint64_t first = a.lpn.value * sectors_ + a.first_sector;
    if (a.kind == AccessKind::read) {
      ++reads;
      for (std::uint64_t k = 0; k < a.sector_count * words; ++k) {
        CAPTURE(a.lpn.value, k);
        REQUIRE(data[k] == held_[first + k / words]);
      }
    } else if (a.kind == AccessKind::write) {
      for (std::uint64_t k = 0; k < a.sector_count; ++k) held_[first + k] = data[k * words];
    } else if (a.kind == AccessKind::trim) {
      for (std::uint64_t k = 0; k < sectors_; ++k) held_[a.lpn.value * sectors_ + k] = 0;
    }
    if (left_-- > 0) next(request);
  }

  void next(FlashBench::Request& request) {
    PageAccess& a = request.access;
    const std::uint64_t dice = random_.below(100);
    a.kind = dice < 45 ? AccessKind::read : dice < 95 ? AccessKind::write : AccessKind::trim;
    if (dice == 99) a.kind = AccessKind::flush;
    a.lpn = Lpn(random_.below(pages_) * slots + a.stream);
    a.first_sector = static_cast<std::uint16_t>(random_.below(sectors_));
    a.sector_count = static_cast<std::uint16_t>(1 + random_.below(sectors_ - a.first_sector));
    a.force_unit_access = random_.below(8) == 0;
    std::vector<std::uint64_t>& data = data_[a.stream];
    a.data = reinterpret_cast<std::byte*>(data.data());
    for (std::uint64_t k = 0; k < data.size(); ++k) {
      if (k % words == 0) ++last_word_;
      data[k] = last_word_;
    }
    bench_.submit_now(request);
  }

  FlashBench& bench_;
  RandomStream random_{1, "accesses"};
  int left_;
  std::uint64_t pages_;  // number of pages of each slot
  std::uint64_t sectors_;
  std::vector<std::uint64_t> held_;
  std::vector<std::vector<std::uint64_t>> data_;
  std::uint64_t last_word_ = 0;
};

TEST_CASE("data survive in a device with a cache") {
  const controller::CachePolicy policy =
      GENERATE(controller::CachePolicy::read, controller::CachePolicy::write_back, controller::CachePolicy::read_write);
  const std::uint32_t units = GENERATE(1U, 10U, 1000U);
  CAPTURE(static_cast<int>(policy), units);
  FlashBench bench(cached_device(policy, units), true);
  OwnPages accesses(bench, 15'000);
  bench.run();
  CHECK(accesses.reads > 5000);
  CHECK(bench.idle());
  CHECK(bench.device.stages().cache()->idle());
  if (units < 1000) CHECK(bench.device.ftl().counters().collection.victims > 0);
  CHECK(bench.device.stages().firmware()->counters().jobs > 10'000);

  bench.on_completed = [](FlashBench::Request&) {};
  bench.at(bench.calendar.now(), AccessKind::flush, Lpn(0));
  bench.run();
  CHECK(bench.device.stages().cache()->dirty_units().empty());
}

TEST_CASE("without firmware and cache a device's storage is its controller") {
  FlashDeviceParameters p = cached_device(controller::CachePolicy::none, 10);
  p.controller.firmware = {};
  FlashBench bench(p);
  CHECK(&bench.device.storage() == &bench.device.ftl());
  CHECK(bench.device.stages().cache() == nullptr);
  CHECK(bench.device.stages().dram() == nullptr);
  CHECK(bench.device.stages().firmware() == nullptr);
}

}  // namespace
}  // namespace nandscape
