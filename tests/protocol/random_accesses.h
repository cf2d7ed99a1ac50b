// SPDX-License-Identifier: Apache-2.0
// Sends random accesses to a device, many at a time, and compares all data that are read with a table of the expected
// content of each sector. The devices are tiny, so that garbage collection is always running.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "flash_bench.h"

namespace nandscape {

struct Shape {
  std::uint32_t channels, chips, dies, planes, blocks, pages;
};

inline FlashDeviceParameters tiny_device(const Shape& shape, const std::string& allocation = "CWDP") {
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
  // Makes the drive as full as possible: only 4 blocks of each plane are spare.
  p.controller.mapping.over_provisioning = 1.001 * shape.blocks / (shape.blocks - 4.0) - 1;
  return p;
}

// Makes random reads, writes, partial writes and trims, with `depth` accesses outstanding at a time. Checks every byte
// that is read.
class RandomAccesses {
 public:
  // The content of an unwritten sector. A written sector is filled with copies of one word; unwritten sectors must read
  // as zeroes, also on a preconditioned device.
  static constexpr std::uint64_t zeroes = 0;

  RandomAccesses(FlashBench& bench, std::uint64_t seed, int accesses, int depth)
      : bench_(bench),
        random_(seed, "accesses"),
        left_(accesses),
        pages_(bench.device.ftl().logical_pages()),
        sectors_(bench.device.ftl().page_bytes() / sector_bytes),
        held_(pages_ * sectors_, zeroes),
        in_flight_(static_cast<std::size_t>(depth)) {
    bench_.on_completed = [this](FlashBench::Request& request) { completed(request); };
    // Each slot starts with a flush. When an access completes, its slot chooses the next access.
    PageAccess nothing;
    nothing.kind = AccessKind::flush;
    for (InFlight& slot : in_flight_) slot.request = &bench_.at(0, nothing);
  }

  // Whether a read may also return data that were written while it was outstanding.
  bool late_reads = false;

  // Whether some of the accesses are flushes.
  bool flushes = false;

  int completed_accesses() const { return completed_; }

  // Reads all pages and checks them.
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
    std::vector<std::uint64_t> expected;  // read: contents of its sectors when it was submitted
    // read: sectors written since its submission, and the words written to them
    std::vector<std::pair<std::uint64_t, std::uint64_t>> newer;
    bool may_be_trimmed = false;  // read: an outstanding trim may have taken effect
    bool outstanding = false;
    std::uint64_t number = 0;  // write: sequence number among the writes to its page
  };
  static constexpr std::size_t words_per_sector = sector_bytes / sizeof(std::uint64_t);

  InFlight& slot_of(const FlashBench::Request& request) {
    return *std::find_if(in_flight_.begin(), in_flight_.end(),
                         [&](const InFlight& slot) { return slot.request == &request; });
  }
  std::uint64_t first_sector(const PageAccess& a) const { return a.lpn.value * sectors_ + a.first_sector; }

  // Chooses a random access. Half of the accesses go to the same four pages, so that several accesses to one page are
  // often outstanding at the same time.
  void choose(InFlight& slot) {
    PageAccess& a = slot.request->access;
    const std::uint64_t kind = random_.below(100);
    a.kind = kind < 40 ? AccessKind::read : kind < 97 ? AccessKind::write : AccessKind::trim;
    a.lpn = Lpn(random_.below(2) == 0 ? random_.below(pages_) : random_.below(4));
    a.page_count = a.kind == AccessKind::trim ? 1 + random_.below(std::min<std::uint64_t>(5, pages_ - a.lpn.value)) : 1;
    const bool whole_page = random_.below(2) == 0;
    a.first_sector = static_cast<std::uint16_t>(whole_page ? 0 : random_.below(sectors_));
    a.sector_count = static_cast<std::uint16_t>(whole_page ? sectors_ : 1 + random_.below(sectors_ - a.first_sector));
    if (flushes && random_.below(20) == 0) a.kind = AccessKind::flush;
    a.status = AccessStatus::write_fault;
    prepare(slot);
  }

  void prepare(InFlight& slot) {
    PageAccess& a = slot.request->access;
    slot.outstanding = true;
    slot.words.assign(a.sector_count * words_per_sector, 0xdeaddeaddeaddead);
    a.data = a.kind == AccessKind::trim || a.kind == AccessKind::flush
                 ? nullptr
                 : reinterpret_cast<std::byte*>(slot.words.data());
    a.status = AccessStatus::ok;
    if (a.kind == AccessKind::trim && late_reads) note_trim_for_reads(a);
    if (a.kind == AccessKind::write) {
      slot.number = ++last_number_[a.lpn.value];
      for (std::size_t sector = 0; sector < a.sector_count; ++sector) {
        std::fill_n(slot.words.begin() + static_cast<std::ptrdiff_t>(sector * words_per_sector), words_per_sector,
                    ++last_word_);
      }
    } else if (a.kind == AccessKind::read) {
      slot.expected.assign(held_.begin() + static_cast<std::ptrdiff_t>(first_sector(a)),
                           held_.begin() + static_cast<std::ptrdiff_t>(first_sector(a) + a.sector_count));
      slot.newer.clear();
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
        const std::uint64_t held = slot.words[sector * words_per_sector + word];
        if (held == slot.expected[sector]) continue;
        if (std::find(slot.newer.begin(), slot.newer.end(), std::pair(first_sector(a) + sector, held)) !=
            slot.newer.end())
          continue;
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
        note_for_reads(first_sector(a), a.sector_count);
        break;
      case AccessKind::trim:
        std::fill_n(held_.begin() + static_cast<std::ptrdiff_t>(a.lpn.value * sectors_),
                    static_cast<std::ptrdiff_t>(a.page_count * sectors_), zeroes);
        note_for_reads(a.lpn.value * sectors_, a.page_count * sectors_);
        break;
      case AccessKind::flush: break;
    }
    if (left_-- <= 0) return;
    choose(slot);
    bench_.submit_now(request);
  }

  // Records for outstanding reads that they may return zeroes because of this trim. A read that was submitted at the
  // same time as the trim may look its mapping up after the trim.
  void note_trim_for_reads(const PageAccess& trim) {
    for (InFlight& slot : in_flight_) {
      const PageAccess& read = slot.request->access;
      if (!slot.outstanding || read.kind != AccessKind::read) continue;
      if (slot.request->submitted != bench_.calendar.now()) continue;
      slot.may_be_trimmed |= read.lpn.value - trim.lpn.value < trim.page_count;
    }
  }

  // Records new contents of sectors for outstanding reads of them. A read may look its mapping up some time after its
  // submission, and may then return these contents.
  void note_for_reads(std::uint64_t first, std::uint64_t count) {
    if (!late_reads) return;
    for (InFlight& slot : in_flight_) {
      const PageAccess& read = slot.request->access;
      if (!slot.outstanding || read.kind != AccessKind::read) continue;
      for (std::uint64_t sector = first_sector(read); sector < first_sector(read) + read.sector_count; ++sector) {
        if (sector - first < count) slot.newer.emplace_back(sector, held_[sector]);
      }
    }
  }

  FlashBench& bench_;
  RandomStream random_;
  int left_;
  int completed_ = 0;
  std::uint64_t pages_;
  std::uint64_t sectors_;
  std::vector<std::uint64_t> held_;  // content of each sector after the accesses completed so far
  std::vector<InFlight> in_flight_;
  std::map<std::uint64_t, std::uint64_t> last_number_;       // number of writes submitted to each page
  std::map<std::uint64_t, std::uint64_t> completed_number_;  // number of writes completed on each page
  std::uint64_t last_word_ = 0;
};

// `prepare` may change the bench before the accesses begin.
inline void check_integrity(
    const FlashDeviceParameters& p, std::uint64_t seed, int accesses, int depth,
    const std::function<void(FlashBench&)>& prepare = [](FlashBench&) {}) {
  FlashBench bench(p, true);
  prepare(bench);
  RandomAccesses accesses_made(bench, seed, accesses, depth);
  // With these settings, a read may look its mapping up some time after its submission.
  accesses_made.late_reads = p.controller.mapping.cache.cache_bytes != 0 ||
                             p.controller.mapping.memory != controller::MappingPlace::ideal ||
                             p.controller.mapping.unit_bytes != 0;
  accesses_made.flushes = p.controller.power_loss.protection == controller::PowerLossProtection::none;
  bench.run();
  CHECK(accesses_made.completed_accesses() == accesses + depth);
  CHECK(bench.idle());
  CHECK(bench.device.ftl().counters().collection.victims > 0);
  accesses_made.verify();
  CHECK(bench.idle());
}

}  // namespace nandscape
