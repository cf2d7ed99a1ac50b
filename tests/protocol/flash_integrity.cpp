// SPDX-License-Identifier: Apache-2.0
// Random accesses, many at a time, against a dictionary of what each sector should hold. Devices are tiny, so that
// garbage collection runs all the time.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "flash_bench.h"

namespace nandscape {
namespace {

struct Shape {
  std::uint32_t channels, chips, dies, planes, blocks, pages;
};

FlashDeviceParameters tiny_device(const Shape& shape, const std::string& allocation = "CWDP") {
  FlashDeviceParameters p;
  p.channel.count = shape.channels;
  p.nand.geometry.chips_per_channel = shape.chips;
  p.nand.geometry.dies_per_chip = shape.dies;
  p.nand.geometry.planes_per_die = shape.planes;
  p.nand.geometry.blocks_per_plane = shape.blocks;
  p.nand.geometry.pages_per_block = shape.pages;
  p.nand.geometry.page_bytes = 2048;
  p.nand.geometry.spare_bytes = 128;
  p.ecc.codeword_bytes = 1024;
  p.controller.garbage_collection.start_free_blocks = 2;
  p.controller.mapping.allocation = allocation;
  // As full as it may be: of a plane's blocks, 4 are kept back.
  p.controller.mapping.over_provisioning = 1.001 * shape.blocks / (shape.blocks - 4.0) - 1;
  return p;
}

// Reads, writes, partial writes and trims at random, keeping so many outstanding; every byte read is checked.
class RandomAccesses {
 public:
  // A sector is filled with copies of one word. What has not been written holds zeroes, on a filled device, too.
  static constexpr std::uint64_t zeroes = 0;

  RandomAccesses(FlashBench& bench, std::uint64_t seed, int accesses, int depth)
      : bench_(bench),
        random_(seed, "accesses"),
        left_(accesses),
        pages_(bench.device.controller().logical_pages()),
        sectors_(bench.device.controller().page_bytes() / sector_bytes),
        held_(pages_ * sectors_, zeroes),
        in_flight_(static_cast<std::size_t>(depth)) {
    bench_.on_completed = [this](FlashBench::Request& request) { completed(request); };
    // Each slot begins with an access that does nothing, and chooses the next one at each completion.
    PageAccess nothing;
    nothing.kind = AccessKind::flush;
    for (InFlight& slot : in_flight_) slot.request = &bench_.at(0, nothing);
  }

  int completed_accesses() const { return completed_; }

  // Reads everything back.
  void verify() {
    bench_.on_completed = [this](FlashBench::Request& request) { check(slot_of(request)); };
    InFlight& slot = in_flight_.front();
    for (std::uint64_t page = 0; page < pages_; ++page) {
      PageAccess& access = slot.request->access;
      access.kind = AccessKind::read;
      access.lpn = Lpn(page);
      access.first_sector = 0;
      access.sector_count = static_cast<std::uint16_t>(sectors_);
      prepare(slot);
      bench_.submit_now(*slot.request);
      if (!bench_.calendar.empty()) bench_.run();
    }
  }

 private:
  struct InFlight {
    FlashBench::Request* request = nullptr;
    std::vector<std::uint64_t> words;     // data, sector by sector
    std::vector<std::uint64_t> expected;  // of a read: what its sectors held when it was submitted
    bool may_be_trimmed = false;          // of a read: an outstanding trim may have taken effect
    bool outstanding = false;
    std::uint64_t number = 0;  // of the write
  };
  static constexpr std::size_t words_per_sector = sector_bytes / sizeof(std::uint64_t);

  InFlight& slot_of(const FlashBench::Request& request) {
    return *std::find_if(in_flight_.begin(), in_flight_.end(),
                         [&](const InFlight& slot) { return slot.request == &request; });
  }
  std::uint64_t first_sector(const PageAccess& a) const { return a.lpn.value * sectors_ + a.first_sector; }

  // Half of the accesses go to a few pages, so that several are to the same page at once.
  void choose(InFlight& slot) {
    PageAccess& a = slot.request->access;
    const std::uint64_t kind = random_.below(100);
    a.kind = kind < 40 ? AccessKind::read : kind < 97 ? AccessKind::write : AccessKind::trim;
    a.lpn = Lpn(random_.below(2) == 0 ? random_.below(pages_) : random_.below(4));
    a.page_count = a.kind == AccessKind::trim ? 1 + random_.below(std::min<std::uint64_t>(5, pages_ - a.lpn.value)) : 1;
    const bool whole_page = random_.below(2) == 0;
    a.first_sector = static_cast<std::uint16_t>(whole_page ? 0 : random_.below(sectors_));
    a.sector_count = static_cast<std::uint16_t>(whole_page ? sectors_ : 1 + random_.below(sectors_ - a.first_sector));
    a.status = AccessStatus::write_fault;
    prepare(slot);
  }

  void prepare(InFlight& slot) {
    PageAccess& a = slot.request->access;
    slot.outstanding = true;
    slot.words.assign(a.sector_count * words_per_sector, 0xdeaddeaddeaddead);
    a.data = a.kind == AccessKind::trim ? nullptr : reinterpret_cast<std::byte*>(slot.words.data());
    a.status = AccessStatus::ok;
    if (a.kind == AccessKind::write) {
      slot.number = ++last_number_[a.lpn.value];
      for (std::size_t sector = 0; sector < a.sector_count; ++sector) {
        std::fill_n(slot.words.begin() + static_cast<std::ptrdiff_t>(sector * words_per_sector), words_per_sector,
                    ++last_word_);
      }
    } else if (a.kind == AccessKind::read) {
      slot.expected.assign(held_.begin() + static_cast<std::ptrdiff_t>(first_sector(a)),
                           held_.begin() + static_cast<std::ptrdiff_t>(first_sector(a) + a.sector_count));
      slot.may_be_trimmed = std::any_of(in_flight_.begin(), in_flight_.end(), [&](const InFlight& other) {
        const PageAccess& trim = other.request->access;
        return other.outstanding && trim.kind == AccessKind::trim && a.lpn.value - trim.lpn.value < trim.page_count;
      });
    }
  }

  void check(InFlight& slot) {
    const PageAccess& a = slot.request->access;
    REQUIRE(a.status == AccessStatus::ok);
    if (slot.may_be_trimmed && std::all_of(slot.words.begin(), slot.words.end(), [](auto w) { return w == zeroes; }))
      return;
    for (std::size_t sector = 0; sector < a.sector_count; ++sector) {
      for (std::size_t word = 0; word < words_per_sector; ++word) {
        if (slot.words[sector * words_per_sector + word] == slot.expected[sector]) continue;
        INFO("page " << a.lpn.value << " sector " << a.first_sector + sector << " word " << word);
        REQUIRE(slot.words[sector * words_per_sector + word] == slot.expected[sector]);
      }
    }
  }

  void completed(FlashBench::Request& request) {
    InFlight& slot = slot_of(request);
    const PageAccess& a = request.access;
    slot.outstanding = false;
    ++completed_;
    switch (a.kind) {
      case AccessKind::read: check(slot); break;
      case AccessKind::write:
        REQUIRE(a.status == AccessStatus::ok);
        REQUIRE(slot.number == ++completed_number_[a.lpn.value]);  // in the order of submission
        for (std::size_t sector = 0; sector < a.sector_count; ++sector) {
          held_[first_sector(a) + sector] = slot.words[sector * words_per_sector];
        }
        break;
      case AccessKind::trim:
        std::fill_n(held_.begin() + static_cast<std::ptrdiff_t>(a.lpn.value * sectors_),
                    static_cast<std::ptrdiff_t>(a.page_count * sectors_), zeroes);
        break;
      case AccessKind::flush: break;
    }
    if (left_-- <= 0) return;
    choose(slot);
    bench_.submit_now(request);
  }

  FlashBench& bench_;
  RandomStream random_;
  int left_;
  int completed_ = 0;
  std::uint64_t pages_;
  std::uint64_t sectors_;
  std::vector<std::uint64_t> held_;  // what each sector holds by the accesses completed so far
  std::vector<InFlight> in_flight_;
  std::map<std::uint64_t, std::uint64_t> last_number_;       // writes submitted, by page
  std::map<std::uint64_t, std::uint64_t> completed_number_;  // writes completed, by page
  std::uint64_t last_word_ = 0;
};

void check_integrity(const FlashDeviceParameters& p, std::uint64_t seed, int accesses, int depth) {
  FlashBench bench(p, true);
  RandomAccesses accesses_made(bench, seed, accesses, depth);
  bench.run();
  CHECK(accesses_made.completed_accesses() == accesses + depth);
  CHECK(bench.idle());
  CHECK(bench.device.controller().counters().collection.victims > 0);
  accesses_made.verify();
  CHECK(bench.idle());
}

TEST_CASE("data survive on devices of every shape") {
  const Shape shape = GENERATE(values<Shape>({{1, 1, 1, 1, 10, 8},
                                              {1, 1, 1, 2, 9, 7},
                                              {1, 1, 2, 3, 11, 5},
                                              {1, 2, 1, 4, 8, 16},
                                              {2, 1, 1, 1, 13, 3},
                                              {2, 3, 1, 2, 8, 12},
                                              {3, 2, 2, 2, 7, 9},
                                              {2, 1, 3, 6, 10, 1},
                                              {5, 1, 1, 16, 6, 2}}));
  FlashDeviceParameters p = tiny_device(shape);
  p.controller.precondition.occupancy = GENERATE(0.0, 1.0);
  CAPTURE(shape.channels, shape.chips, shape.dies, shape.planes, shape.blocks, shape.pages);
  check_integrity(p, 1, 8000, 48);
}

TEST_CASE("data survive under every policy of the scheduler") {
  FlashDeviceParameters p = tiny_device({1, 2, 2, 2, 9, 8}, "PDWC");
  p.controller.scheduler.policy.name = GENERATE("fifo", "out_of_order");
  p.controller.scheduler.suspend = GENERATE(Suspend::none, Suspend::program, Suspend::erase, Suspend::program_erase);
  p.controller.scheduler.multi_plane = GENERATE(false, true);
  p.controller.scheduler.cache_read = GENERATE(false, true);
  p.channel.arbitration = GENERATE(BusArbitration::command_first, BusArbitration::response_first);
  CAPTURE(p.controller.scheduler.policy.name, static_cast<int>(p.channel.arbitration),
          static_cast<int>(p.controller.scheduler.suspend), p.controller.scheduler.multi_plane,
          p.controller.scheduler.cache_read);
  check_integrity(p, 2, 5000, 32);
}

TEST_CASE("data survive at every depth of the queue") {
  const int depth = GENERATE(1, 2, 7, 300);
  check_integrity(tiny_device({2, 1, 1, 2, 9, 6}), 3, 20000, depth);
}

TEST_CASE("data survive whatever collection is told to keep") {
  FlashDeviceParameters p = tiny_device({1, 1, 2, 2, 12, 6});
  p.controller.garbage_collection.start_free_blocks = GENERATE(2u, 3u, 5u);
  p.controller.garbage_collection.reserved_blocks = GENERATE(1u, 2u, 4u);
  if (p.controller.garbage_collection.reserved_blocks >= p.controller.garbage_collection.start_free_blocks) return;
  p.controller.garbage_collection.pages_in_flight = GENERATE(1u, 3u, 100u);
  p.controller.mapping.over_provisioning =
      1.001 * 12 / (12 - 2.0 - p.controller.garbage_collection.start_free_blocks) - 1;
  CAPTURE(p.controller.garbage_collection.start_free_blocks, p.controller.garbage_collection.reserved_blocks,
          p.controller.garbage_collection.pages_in_flight);
  check_integrity(p, 4, 5000, 32);
}

}  // namespace
}  // namespace nandscape
