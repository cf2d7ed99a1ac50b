// SPDX-License-Identifier: Apache-2.0
// Tests devices that store their mapping on flash and cache only a part of it in memory.
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "protocol/host_buffer.h"
#include "random_accesses.h"
#include "small_device.h"

namespace nandscape {
namespace {

using namespace small_times;

// Returns the parameters `p` with a mapping cache for `pages` translation pages.
FlashDeviceParameters with_cache(std::uint64_t pages, FlashDeviceParameters p) {
  const std::uint32_t unit = p.controller.mapping.unit_bytes;
  p.controller.mapping.cache.entry_bytes = 8;
  p.controller.mapping.cache.cache_bytes = pages * (unit == 0 ? p.nand.geometry.page_bytes : unit);
  return p;
}

// Returns a device with 300 logical pages, whose entries all fit in one translation page.
FlashDeviceParameters small_with_cache() {
  FlashDeviceParameters p = with_cache(1, small_device());
  p.controller.mapping.over_provisioning = 0.6;
  return p;
}

// Returns a device with 1920 logical pages, whose entries need 8 translation pages of 256 entries each.
FlashDeviceParameters larger_device() {
  FlashDeviceParameters p = tiny_device({1, 1, 2, 2, 20, 32});
  p.controller.mapping.over_provisioning = 0.4;
  return p;
}

TEST_CASE("a read whose entry is not in memory also takes a read of its translation page") {
  Filled bench(small_with_cache());
  const Lpn lpn = bench.find(1);
  const Lpn translation_page(bench.device.ftl().logical_pages());
  FlashBench::Request& miss = bench.at(0, AccessKind::read, lpn);
  FlashBench::Request& hit = bench.at(millisecond, AccessKind::read, lpn);
  bench.run();
  const Tick read = read_command + page_out + decode;
  CHECK(hit.latency() == bench.read_time(lpn) + read);
  CHECK(miss.latency() == bench.read_time(translation_page) + read + hit.latency());
  const controller::MappingCacheCounters counters = bench.device.ftl().counters().mapping_cache;
  CHECK(counters.misses == 1);
  CHECK(counters.hits == 1);
  CHECK(counters.loads == 1);
  CHECK(counters.stores == 0);
  CHECK(bench.idle());
}

TEST_CASE("a translation page that was never written takes no read") {
  FlashDeviceParameters p = small_with_cache();
  p.controller.precondition.occupancy = 0;
  FlashBench bench(p);
  FlashBench::Request& read = bench.at(0, AccessKind::read, Lpn(5));
  bench.run();
  CHECK(read.latency() == 0);
  CHECK(bench.device.back_end().nand_counters().page_reads == 0);
  CHECK(bench.device.ftl().counters().mapping_cache.loads == 1);
}

TEST_CASE("an uncorrectable translation page counts as failed, and the access continues") {
  Filled bench(small_with_cache());
  bench.device.back_end().kill_die(DieId(0));
  FlashBench::Request& read = bench.at(0, AccessKind::read, Lpn(7));
  bench.run();
  CHECK(read.access.status == AccessStatus::unrecovered_read_error);
  CHECK(bench.device.ftl().counters().mapping_cache.failed_loads == 1);
  CHECK(bench.idle());
}

// Reads or writes the first `logical_pages` pages in random order, one access at a time.
struct RandomLoad {
  RandomLoad(FlashBench& b, std::uint64_t logical_pages, int accesses, bool writes)
      : bench(b), pages(logical_pages), left(accesses), kind(writes ? AccessKind::write : AccessKind::read) {
    bench.on_completed = [this](FlashBench::Request& request) {
      if (left-- <= 0) return;
      request.access.lpn = Lpn(random.below(pages));
      bench.submit_now(request);
    };
    bench.at(bench.calendar.now(), kind, Lpn(random.below(pages)));
    bench.run();
  }

  FlashBench& bench;
  std::uint64_t pages;
  int left;
  AccessKind kind;
  RandomStream random{1, "load"};
};

TEST_CASE("all accesses to a working set that fits in memory are hits, and few to a larger one") {
  FlashBench bench(with_cache(2, larger_device()));
  RandomLoad(bench, 512, 200, false);
  const controller::MappingCacheCounters warm = bench.device.ftl().counters().mapping_cache;
  CHECK(warm.loads == 2);
  RandomLoad(bench, 512, 2000, false);
  const controller::MappingCacheCounters fits = bench.device.ftl().counters().mapping_cache;
  CHECK(fits.misses == warm.misses);
  CHECK(fits.hits == warm.hits + 2001);
  // The entries of 1920 pages fill 7.5 translation pages, 2 of which fit in memory.
  RandomLoad(bench, 1920, 4000, false);
  const controller::MappingCacheCounters larger = bench.device.ftl().counters().mapping_cache;
  const double hits = static_cast<double>(larger.hits - fits.hits) / 4001;
  CHECK(hits == Approx(2 / 7.5).margin(0.03));
}

TEST_CASE("the less of the mapping is in memory, the higher is write amplification") {
  const auto amplification = [](const FlashDeviceParameters& p) {
    FlashBench bench(p);
    RandomLoad(bench, bench.device.ftl().logical_pages(), 8000, true);
    CHECK(bench.idle());
    const controller::ControllerCounters counters = bench.device.ftl().counters();
    CHECK(counters.collection.victims > 50);
    return counters.write_amplification();
  };
  const double all = amplification(with_cache(8, larger_device()));
  const double half = amplification(with_cache(4, larger_device()));
  const double least = amplification(with_cache(1, larger_device()));
  CHECK(amplification(larger_device()) == Approx(all).epsilon(0.05));
  CHECK(half > 1.1 * all);
  // With one translation page in memory, write amplification is about as high as with half of them. The margin allows
  // for chance in garbage collection.
  CHECK(least > 0.95 * half);
}

TEST_CASE("data survive with one translation page in memory") {
  FlashDeviceParameters p = larger_device();
  p.controller.mapping.unit_bytes = GENERATE(0u, 1024u);
  p.controller.precondition.occupancy = GENERATE(0.0, 0.7, 1.0);
  p.controller.power_loss.protection =
      GENERATE(controller::PowerLossProtection::capacitor, controller::PowerLossProtection::none);
  p.controller.mapping.over_provisioning = 0.6;
  CAPTURE(p.controller.mapping.unit_bytes, static_cast<int>(p.controller.power_loss.protection),
          p.controller.precondition.occupancy);
  check_integrity(with_cache(1, p), 5, 12'000, 32);
}

// A host memory buffer whose reads take a fixed time. If `period` is not 0, the host takes the buffer back and grants
// it again in turn.
class FakeBuffer final : public HostBuffer {
 public:
  static constexpr Tick latency = 700 * nanosecond;

  FakeBuffer(FlashBench& bench, std::uint64_t bytes, Tick period)
      : calendar_(bench.calendar), user_(*bench.device.host_buffer_user()), bytes_(bytes), period_(period) {
    turn();
  }

  void read(std::uint64_t offset, std::uint32_t bytes, std::uint32_t tag) override {
    check(offset, bytes);
    ++reads;
    calendar_.schedule<&FakeBuffer::arrive>(calendar_.now() + latency, *this, tag);
  }
  void write(std::uint64_t offset, std::uint32_t bytes) override {
    check(offset, bytes);
    ++writes;
  }

  int reads = 0, writes = 0;

 private:
  void check(std::uint64_t offset, std::uint32_t bytes) const {
    REQUIRE(granted_);
    REQUIRE(offset + bytes <= bytes_);
  }
  void arrive(std::uint64_t tag) { user_.arrived(static_cast<std::uint32_t>(tag), calendar_.now()); }
  void turn() {
    granted_ = !granted_;
    if (granted_) {
      user_.granted(*this, bytes_, calendar_.now());
    } else {
      user_.withdrawn(calendar_.now());
    }
    if (period_ != 0 && ++turns_ < 200) calendar_.schedule<&FakeBuffer::turn>(calendar_.now() + period_, *this);
  }

  Calendar& calendar_;
  HostBufferUser& user_;
  const std::uint64_t bytes_;
  const Tick period_;
  bool granted_ = false;
  int turns_ = 0;
};

FlashDeviceParameters with_host_memory(FlashDeviceParameters p) {
  p.controller.mapping.memory = controller::MappingPlace::host;
  p.controller.mapping.host_buffer_bytes = 1 << 20;
  return p;
}

TEST_CASE("with a buffer, a look-up costs nothing, a read of the buffer, or a read of flash") {
  Filled bench(with_host_memory(small_with_cache()));
  FakeBuffer buffer(bench, 65536, 0);
  std::vector<FlashBench::Request*> reads;
  // The entries of 8 units share a line.
  for (const std::uint64_t unit : {0, 7, 8, 9, 8}) {
    reads.push_back(&bench.at(millisecond * reads.size(), AccessKind::read, Lpn(unit)));
  }
  bench.run();
  const Tick transfer = read_command + page_out + decode;
  const auto added = [&](std::size_t k) {
    return reads[k]->latency() - bench.read_time(reads[k]->access.lpn) - transfer;
  };
  CHECK(added(0) == bench.read_time(Lpn(bench.device.ftl().logical_pages())) + transfer);
  CHECK(added(1) == 0);
  CHECK(added(2) == FakeBuffer::latency);
  CHECK(added(3) == 0);
  CHECK(added(4) == 0);
  const controller::MappingMemoryFigures figures = bench.device.ftl().counters().mapping_memory;
  CHECK(figures.flash == 1);
  CHECK(figures.counters.sram == 3);
  CHECK(figures.counters.host == 1);
  CHECK(figures.counters.host_bytes_read == 64);
  CHECK(figures.granted_bytes == 65536);
  CHECK(buffer.reads == 1);
  CHECK(buffer.writes == 1);
}

TEST_CASE("look-ups of one line share its read, and end in their order") {
  Filled bench(with_host_memory(small_with_cache()));
  FakeBuffer buffer(bench, 65536, 0);
  bench.at(0, AccessKind::read, Lpn(0));
  std::vector<FlashBench::Request*> writes;
  for (int k = 0; k < 5; ++k) writes.push_back(&bench.at(millisecond, AccessKind::write, Lpn(40)));
  bench.run();
  CHECK(buffer.reads == 1);
  for (std::size_t k = 1; k < writes.size(); ++k) CHECK(writes[k]->completed >= writes[k - 1]->completed);
}

TEST_CASE("data survive with a host memory buffer, which the host may take back at any time") {
  FlashDeviceParameters p = larger_device();
  p.controller.mapping.unit_bytes = GENERATE(0u, 1024u);
  p.controller.precondition.occupancy = GENERATE(0.0, 0.7, 1.0);
  p.controller.power_loss.protection =
      GENERATE(controller::PowerLossProtection::capacitor, controller::PowerLossProtection::none);
  p.controller.mapping.over_provisioning = 0.6;
  p = with_host_memory(with_cache(1, p));
  const Tick period = GENERATE(Tick{0}, 300 * microsecond, 7 * millisecond);
  const std::uint64_t pages = GENERATE(1, 4);
  CAPTURE(p.controller.mapping.unit_bytes, p.controller.precondition.occupancy, period, pages);
  std::unique_ptr<FakeBuffer> buffer;
  check_integrity(p, 5, 6000, 32, [&](FlashBench& bench) {
    buffer = std::make_unique<FakeBuffer>(bench, pages * bench.device.ftl().page_bytes(), period);
  });
  CHECK(buffer->reads > 5);
  CHECK(buffer->writes > 5);
}

TEST_CASE("data survive with a mapping in DRAM, whole or in part") {
  FlashDeviceParameters p = larger_device();
  p.controller.mapping.over_provisioning = 0.6;
  p.controller.mapping.memory = controller::MappingPlace::dram;
  check_integrity(GENERATE(false, true) ? with_cache(1, p) : p, 5, 6000, 32);
}

TEST_CASE("a memory that holds no translation page is an error") {
  FlashDeviceParameters p = small_device();
  p.controller.mapping.cache.cache_bytes = 8191;
  CHECK_THROWS_WITH(FlashBench(p), ContainsSubstring("holds no translation page"));
}

}  // namespace
}  // namespace nandscape
