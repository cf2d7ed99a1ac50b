// SPDX-License-Identifier: Apache-2.0
// Tests devices whose blocks fail one after another until the device can no longer be written. Its capacity must stay
// the same, all written data must remain readable, and it must report that it is read-only.
#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "core/random.h"
#include "flash_bench.h"
#include "platform/simulation/simulation.h"

namespace nandscape {
namespace {

FlashDeviceParameters short_lived_device() {
  FlashDeviceParameters p;
  p.channel.count = 2;
  p.nand.geometry.chips_per_channel = 1;
  p.nand.geometry.dies_per_chip = 2;
  p.nand.geometry.planes_per_die = 2;
  p.nand.geometry.blocks_per_plane = 16;
  p.nand.geometry.pages_per_block = 12;
  p.nand.geometry.page_bytes = 2048;
  p.nand.geometry.spare_bytes = 128;
  p.ecc.codeword_bytes = 1024;
  p.controller.mapping.over_provisioning = 0.6;
  p.controller.garbage_collection.start_free_blocks = 2;
  p.controller.precondition.occupancy = 0;
  return p;
}

// Writes and reads random pages, many at a time, and records which data each page may hold.
class WornPages {
 public:
  WornPages(FlashBench& bench, std::uint64_t seed, std::size_t depth)
      : bench_(bench),
        random_(seed, "worn pages"),
        words_per_page_(bench.device.ftl().page_bytes() / sizeof(std::uint64_t)),
        pages_(bench.device.ftl().logical_pages()),
        slots_(depth) {
    PageAccess nothing;
    nothing.kind = AccessKind::flush;
    bench_.on_completed = [](FlashBench::Request&) {};
    for (Slot& slot : slots_) {
      slot.words.resize(words_per_page_);
      slot.request = &bench_.at(bench_.calendar.now(), nothing);
    }
    bench_.run();
    bench_.on_completed = [this](FlashBench::Request& request) { completed(request); };
  }

  std::uint64_t pages() const { return pages_.size(); }
  std::uint64_t written() const { return written_; }
  std::uint64_t refused() const { return refused_; }
  std::uint64_t unrecovered() const { return unrecovered_; }
  // Must be called when a die fails, because reads may fail from then on.
  void expect_losses() { losses_ = true; }

  // Makes `count` accesses, of which a third are reads. Stops early and returns false if the device refuses a write.
  bool access(std::uint64_t count) {
    left_ = count;
    for (Slot& slot : slots_) next(slot);
    if (!bench_.calendar.empty()) bench_.run();
    int stuck = 0;
    for (const Page& page : pages_) stuck += page.outstanding;
    const controller::ControllerCounters c = bench_.device.ftl().counters();
    CAPTURE(stuck, c.read_only, c.collection.retired_blocks, c.collection.victims, c.writer.failed_programs,
            c.failed_erases, written_);
    REQUIRE(stuck == 0);
    REQUIRE(bench_.idle());
    return refused_ == 0;
  }

  // Reads every page and returns the number of lost pages.
  std::uint64_t verify() {
    const std::uint64_t before = unrecovered_;
    Slot& slot = slots_.front();
    left_ = 0;
    for (std::uint64_t page = 0; page < pages_.size(); ++page) {
      read(slot, page);
      if (!bench_.calendar.empty()) bench_.run();
    }
    return unrecovered_ - before;
  }

 private:
  struct Page {
    std::uint64_t held = 0;        // data of the page; 0 until the page is written
    std::uint64_t on_its_way = 0;  // data of an outstanding write
    std::uint64_t refused = 0;     // data of a failed write
    int outstanding = 0;
  };
  struct Slot {
    FlashBench::Request* request = nullptr;
    std::vector<std::uint64_t> words;
    std::uint64_t before = 0;
  };

  void submit(Slot& slot, AccessKind kind, std::uint64_t page) {
    PageAccess& a = slot.request->access;
    a.kind = kind;
    a.status = AccessStatus::ok;
    a.lpn = Lpn(page);
    a.first_sector = 0;
    a.sector_count = static_cast<std::uint16_t>(bench_.device.ftl().page_bytes() / sector_bytes);
    a.data = reinterpret_cast<std::byte*>(slot.words.data());
    a.owner = reinterpret_cast<std::uint64_t>(slot.request);
    ++pages_[page].outstanding;
    bench_.submit_now(*slot.request);
  }

  void read(Slot& slot, std::uint64_t page) {
    slot.before = pages_[page].held;
    submit(slot, AccessKind::read, page);
  }

  void next(Slot& slot) {
    if (left_ == 0 || refused_ > 0) return;
    --left_;
    // A page has only one outstanding access at a time, so that its expected data are known.
    std::uint64_t page = random_.below(pages_.size());
    while (pages_[page].outstanding != 0) page = (page + 1) % pages_.size();
    if (random_.below(3) == 0) {
      read(slot, page);
    } else {
      std::fill(slot.words.begin(), slot.words.end(), ++last_word_);
      pages_[page].on_its_way = last_word_;
      submit(slot, AccessKind::write, page);
    }
  }

  void completed(FlashBench::Request& request) {
    Slot& slot = *std::find_if(slots_.begin(), slots_.end(), [&](const Slot& s) { return s.request == &request; });
    const PageAccess& a = request.access;
    Page& page = pages_[a.lpn.value];
    --page.outstanding;
    CAPTURE(a.lpn.value, static_cast<int>(a.status), page.held, page.refused);
    if (a.kind == AccessKind::write) {
      if (a.status == AccessStatus::ok) {
        ++written_;
        page.held = page.on_its_way;
      } else {
        REQUIRE(a.status == AccessStatus::write_protected);
        ++refused_;
      }
    } else if (a.status == AccessStatus::unrecovered_read_error && losses_) {
      ++unrecovered_;
    } else {
      REQUIRE(a.status == AccessStatus::ok);
      REQUIRE(std::count(slot.words.begin(), slot.words.end(), page.held) ==
              static_cast<std::ptrdiff_t>(slot.words.size()));
    }
    next(slot);
  }

  FlashBench& bench_;
  RandomStream random_;
  std::size_t words_per_page_;
  std::vector<Page> pages_;
  std::vector<Slot> slots_;
  std::uint64_t left_ = 0;
  std::uint64_t last_word_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t unrecovered_ = 0;
  bool losses_ = false;
};

// Makes random blocks fail, each time after the device has been overwritten, until it can no longer be written.
void wear_out(const FlashDeviceParameters& p, std::uint64_t seed, std::size_t depth) {
  FlashBench bench(p, true);
  const controller::Ftl& ftl = bench.device.ftl();
  WornPages pages(bench, seed, depth);
  RandomStream random(seed, "failing blocks");
  const std::uint64_t exported = ftl.logical_pages();
  const std::uint32_t blocks = ftl.layout().flash().blocks();
  int device_writes = 0;
  while (pages.access(3 * pages.pages() / 2)) {
    ++device_writes;
    REQUIRE(device_writes < 500);
    for (int k = 0; k < 2; ++k)
      bench.device.back_end().fail_block(BlockId(static_cast<std::uint32_t>(random.below(blocks))));
    if (device_writes % 5 == 0) pages.verify();
  }
  CAPTURE(device_writes, pages.written(), ftl.counters().collection.retired_blocks);
  CHECK(device_writes > 3);
  CHECK(ftl.logical_pages() == exported);
  CHECK(ftl.counters().collection.retired_blocks > 0);
  CHECK(ftl.counters().read_only);
  CHECK(ftl.health().read_only);
  pages.verify();
  CHECK(bench.idle());
}

TEST_CASE("a device wears out without data loss") {
  FlashDeviceParameters p = short_lived_device();
  p.controller.mapping.unit_bytes = GENERATE(0u, 1024u);
  p.controller.streams.policy.name = GENERATE("by_source", "single", "hot_cold");
  p.controller.mapping.plane.name = GENERATE("by_address", "least_busy");
  const std::uint64_t seed = GENERATE(1, 3, 5);
  CAPTURE(static_cast<int>(p.controller.power_loss.protection), p.controller.mapping.unit_bytes,
          p.controller.streams.policy.name, p.controller.mapping.plane.name, seed);
  wear_out(p, seed, 1 + seed * seed * 2);
}

// Makes a die fail at the time `at`, while the device is being written.
struct Death {
  Death(FlashBench& b, DieId d, Tick at) : bench(b), die(d) { bench.calendar.schedule<&Death::strike>(at, *this); }
  void strike(std::uint64_t) { bench.device.back_end().kill_die(die); }

  FlashBench& bench;
  DieId die;
};

TEST_CASE("a failed die loses its own data, and no other") {
  FlashDeviceParameters p = short_lived_device();
  const bool spares = GENERATE(false, true);  // whether the device has enough spare blocks to work without the die
  p.controller.mapping.over_provisioning = spares ? 1.2 : 0.6;
  p.controller.streams.policy.name = GENERATE("by_source", "single");
  p.controller.mapping.plane.name = GENERATE("by_address", "least_busy");
  p.controller.mapping.unit_bytes = GENERATE(0u, 1024u);
  CAPTURE(spares, p.controller.streams.policy.name, p.controller.mapping.plane.name, p.controller.mapping.unit_bytes);
  FlashBench bench(p, true);
  WornPages pages(bench, 2, 24);
  REQUIRE(pages.access(4 * pages.pages()));
  const Death death(bench, DieId(2), bench.calendar.now() + 20 * millisecond);
  pages.expect_losses();
  const bool writable = pages.access(20 * pages.pages());
  CHECK(writable == spares);
  CHECK(bench.device.ftl().health().read_only == !spares);
  CHECK(pages.unrecovered() > 0);
  // If the device can still be written, every page has most likely been rewritten by now, so none may be lost.
  const std::uint64_t lost = pages.verify();
  CHECK((lost == 0) == spares);
  CHECK(lost <= pages.pages() / 4);
  CHECK(bench.idle());
}

TEST_CASE("when a die fails under load, no data with parity are lost") {
  FlashDeviceParameters p = short_lived_device();
  p.controller.parity.stripe_dies = GENERATE(2u, 4u);
  p.controller.mapping.over_provisioning = 1;
  p.controller.power_loss.protection =
      GENERATE(controller::PowerLossProtection::capacitor, controller::PowerLossProtection::none);
  CAPTURE(p.controller.parity.stripe_dies, static_cast<int>(p.controller.power_loss.protection));
  FlashBench bench(p, true);
  WornPages pages(bench, 2, 24);
  REQUIRE(pages.access(4 * pages.pages()));
  const Death death(bench, DieId(2), bench.calendar.now() + 20 * millisecond);
  pages.expect_losses();
  // The stripe set of the failed die accepts no more writes, and without it the device has not enough room.
  CHECK_FALSE(pages.access(20 * pages.pages()));
  CHECK(bench.device.ftl().health().read_only);
  // Only complete rows are protected by parity. On each plane, one row is incomplete for host writes and one for
  // collection.
  const std::uint64_t lost = pages.verify();
  CHECK(lost <= 2 * p.nand.geometry.planes_per_die);
  CHECK(bench.device.ftl().counters().parity.rebuilds > 0);
  CHECK(bench.idle());
}

// The block failure rates of these cells grow with the erase count, and the flash is full when the failures begin.
TEST_CASE("a drive whose cells wear out can be read to the end, and reports that it is read-only") {
  std::vector<Override> overrides;
  for (const char* assignment :
       {"simulation.data=stored", "simulation.cells=statistical", "channel.count=2",
        "nand.geometry.chips_per_channel=1", "nand.geometry.dies_per_chip=1", "nand.geometry.blocks_per_plane=20",
        "nand.geometry.pages_per_block=24", "nand.geometry.page_bytes=4096", "nand.geometry.spare_bytes=552",
        "controller.mapping.over_provisioning=0.6", "controller.garbage_collection.start_free_blocks=2",
        "nand.cells.failures.rated_cycles=40", "nand.cells.failures.program_failure=0.002",
        "nand.cells.failures.erase_failure=0.05"}) {
    overrides.push_back(parse_override(assignment));
  }
  Simulation drive(load_configuration("bare", overrides));
  constexpr std::size_t page_bytes = 4096;
  constexpr std::uint64_t sectors = page_bytes / sector_bytes;
  const std::uint64_t capacity = drive.capacity_bytes();
  std::vector<std::uint8_t> held(capacity / page_bytes);
  const auto page_of = [](std::uint8_t value) { return std::vector<std::byte>(page_bytes, std::byte{value}); };
  RandomStream random(1, "writes");

  int device_writes = 0;
  std::vector<std::pair<std::uint64_t, CommandHandle>> writes;
  std::size_t refused = 0;
  for (; refused == 0; ++device_writes) {
    REQUIRE(device_writes < 500);
    const auto value = static_cast<std::uint8_t>(device_writes % 251 + 1);
    for (std::uint64_t k = 0; k < held.size() && refused == 0; ++k) {
      const std::uint64_t page = device_writes == 0 ? k : random.below(held.size());
      writes.emplace_back(page, drive.start_write(page * sectors, page_of(value)));
      if (writes.size() < 16 && k + 1 < held.size()) continue;
      drive.wait_all();
      for (const auto& [written, command] : writes) {
        if (command->status() == RequestStatus::ok) {
          held[written] = value;
        } else {
          REQUIRE(command->status() == RequestStatus::write_protected);
          ++refused;
        }
      }
      writes.clear();
    }
  }
  CAPTURE(device_writes);
  CHECK(device_writes > 10);
  CHECK(drive.capacity_bytes() == capacity);
  const auto counted = [&](const char* name) { return drive.statistics().at(name).number(); };
  CHECK(counted("controller.failed_programs") > 0);
  CHECK(counted("controller.failed_erases") > 0);

  const Value health = drive.smart_log();
  CHECK(*health.at("critical_warning.read_only").boolean());
  CHECK(*health.at("critical_warning.spare_below_threshold").boolean());
  CHECK(health.at("available_spare_percent").number() == 0);
  const auto status_of = [&](const CommandHandle& command) {
    drive.wait_all();
    return command->status();
  };
  CHECK(status_of(drive.start_write(0, page_of(1))) == RequestStatus::write_protected);
  CHECK(status_of(drive.start_trim(0, sectors)) == RequestStatus::write_protected);
  CHECK(status_of(drive.start_flush()) == RequestStatus::ok);
  std::vector<std::byte> data(page_bytes);
  for (std::uint64_t page = 0; page < held.size(); ++page) {
    drive.read(page * sectors, data);
    INFO("page " << page);
    REQUIRE((data == page_of(held[page])));
  }
}

}  // namespace
}  // namespace nandscape
