// SPDX-License-Identifier: Apache-2.0
// Cuts the power again and again at random times under load. Afterwards, each page must hold its last flushed or forced
// data, or data that were written later. A page must never contain a mixture of versions, or data that were never
// written to it.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "catch.h"
#include "core/archive.h"
#include "core/random.h"
#include "small_device.h"

namespace nandscape {
namespace {

// The contents of one logical page as the host knows them. Each content is a number; 0 is a page without data.
struct History {
  std::vector<std::uint32_t> contents{0};  // in the order of submission
  std::size_t completed = 0;               // index of the latest content whose write completed
  std::size_t durable = 0;                 // index of the latest content that must survive
};

class Host {
 public:
  Host(const FlashDeviceParameters& parameters, std::uint64_t seed) : parameters_(parameters), random_(seed, "host") {
    start(controller::StartUp::as_preconditioned, {});
    histories_.resize(bench_->device.ftl().logical_pages());
  }

  // Runs the load for `time`, cuts the power, and recovers.
  void run_and_cut(Tick time) {
    requests_.clear();
    bench_->on_completed = [this](FlashBench::Request& request) { completed(request); };
    for (std::uint32_t k = 0; k < 12; ++k) submit();
    bench_->run(bench_->calendar.now() + time);
    bench_->device.back_end().power_cut(bench_->calendar.now());
    Archive archive;
    bench_->persist_media(archive);
    start(controller::StartUp::from_flash, archive.take());
    bench_->device.ftl().power_cycle().recover(0, {});
    bench_->run();
    REQUIRE_FALSE(bench_->device.ftl().recovering());
    ++cuts;
    const controller::RecoveryCounters recovery = bench_->device.ftl().counters().recovery;
    REQUIRE(recovery.time > 0);
    longest_recovery = std::max(longest_recovery, recovery.time);
  }

  void check_all_pages() {
    std::vector<std::vector<std::byte>> pages(histories_.size(), std::vector<std::byte>(page_bytes()));
    bench_->on_completed = [](FlashBench::Request& request) { REQUIRE(request.access.status == AccessStatus::ok); };
    for (std::size_t lpn = 0; lpn < histories_.size(); ++lpn) {
      PageAccess read;
      read.kind = AccessKind::read;
      read.lpn = Lpn(lpn);
      read.sector_count = static_cast<std::uint16_t>(page_bytes() / sector_bytes);
      read.data = pages[lpn].data();
      bench_->at(bench_->calendar.now(), read);
    }
    bench_->run();
    for (std::size_t lpn = 0; lpn < histories_.size(); ++lpn) {
      History& history = histories_[lpn];
      const std::uint32_t content = number_in(pages[lpn]);
      const auto first = history.contents.begin() + static_cast<std::ptrdiff_t>(history.durable);
      CAPTURE(lpn, cuts, content, history.durable, history.completed, history.contents);
      REQUIRE(std::find(first, history.contents.end(), content) != history.contents.end());
      // The page must keep this content from now on, so it is the only one in the new history.
      history = {{content}, 0, 0};
    }
  }

  FlashBench& bench() { return *bench_; }

  std::uint64_t cuts = 0;
  Tick longest_recovery = 0;

 private:
  struct Asked {
    AccessKind kind;
    bool forced;
    Lpn lpn;
    std::uint64_t pages;
    // positions in the histories of the access's pages; a flush makes each page durable up to its position
    std::vector<std::size_t> indices;
    std::vector<std::byte> data;
  };

  void start(controller::StartUp start_up, const std::vector<std::byte>& media) {
    bench_.reset();
    bench_ = std::make_unique<FlashBench>(parameters_, true, millisecond, "ideal", true, start_up);
    if (start_up == controller::StartUp::as_preconditioned) return;
    Archive archive(media);
    bench_->persist_media(archive);
    archive.finish();
  }

  std::uint32_t page_bytes() const { return bench_->device.storage().page_bytes(); }

  // Returns a page that is filled with copies of `number`. A page with different numbers is recognised as a mixture.
  std::vector<std::byte> page_of(std::uint32_t number) const {
    std::vector<std::byte> page(page_bytes());
    for (std::size_t k = 0; k < page.size(); k += sizeof number) std::memcpy(&page[k], &number, sizeof number);
    return page;
  }
  std::uint32_t number_in(const std::vector<std::byte>& page) const {
    std::uint32_t number;
    std::memcpy(&number, page.data(), sizeof number);
    REQUIRE(page == page_of(number));
    return number;
  }

  void submit() {
    const std::uint64_t kind = random_.below(100);
    PageAccess access;
    auto asked = std::make_unique<Asked>();
    asked->forced = false;
    asked->pages = 1;
    asked->lpn = access.lpn = Lpn(random_.below(histories_.size()));
    if (kind < 75) {
      asked->kind = access.kind = AccessKind::write;
      asked->forced = access.force_unit_access = kind < 10;
      asked->data = page_of(++numbers_);
      access.data = asked->data.data();
      access.sector_count = static_cast<std::uint16_t>(page_bytes() / sector_bytes);
      asked->indices.push_back(append(access.lpn, numbers_));
    } else if (kind < 90) {
      asked->kind = access.kind = AccessKind::trim;
      asked->pages = access.page_count =
          1 + random_.below(std::min<std::uint64_t>(6, histories_.size() - access.lpn.value));
      for (std::uint64_t k = 0; k < asked->pages; ++k) asked->indices.push_back(append(Lpn(access.lpn.value + k), 0));
    } else {
      asked->kind = access.kind = AccessKind::flush;
      for (const History& history : histories_) asked->indices.push_back(history.completed);
    }
    FlashBench::Request& request = bench_->at(bench_->calendar.now(), access);
    requests_[&request] = std::move(asked);
  }

  std::size_t append(Lpn lpn, std::uint32_t content) {
    histories_[lpn.value].contents.push_back(content);
    return histories_[lpn.value].contents.size() - 1;
  }

  void completed(FlashBench::Request& request) {
    REQUIRE(request.access.status == AccessStatus::ok);
    const auto found = requests_.find(&request);
    const std::unique_ptr<Asked> asked = std::move(found->second);
    requests_.erase(found);
    if (asked->kind == AccessKind::flush) {
      for (std::size_t lpn = 0; lpn < histories_.size(); ++lpn) {
        histories_[lpn].durable = std::max(histories_[lpn].durable, asked->indices[lpn]);
      }
    } else {
      for (std::uint64_t k = 0; k < asked->pages; ++k) {
        History& history = histories_[asked->lpn.value + k];
        history.completed = std::max(history.completed, asked->indices[k]);
        if (asked->forced) history.durable = std::max(history.durable, asked->indices[k]);
      }
    }
    submit();
  }

  FlashDeviceParameters parameters_;
  RandomStream random_;
  std::unique_ptr<FlashBench> bench_;
  std::map<FlashBench::Request*, std::unique_ptr<Asked>> requests_;
  std::vector<History> histories_;
  std::uint32_t numbers_ = 0;
};

FlashDeviceParameters fragile_device() {
  FlashDeviceParameters p = small_device();
  p.nand.geometry.dies_per_chip = 2;
  p.controller.power_loss.protection = controller::PowerLossProtection::none;
  p.controller.precondition.occupancy = 0.5;
  return p;
}

void cut_often(Host& host, int cuts, std::uint64_t seed) {
  RandomStream random(seed, "instants");
  host.check_all_pages();
  for (int k = 0; k < cuts; ++k) {
    // Most cuts come within a few program times after the start. One in ten may come after a long time with garbage
    // collection.
    const Tick most = k % 10 == 9 ? 60 * millisecond : 8 * millisecond;
    host.run_and_cut(1 + random.below(most));
    host.check_all_pages();
  }
}

TEST_CASE("flushed data survive a power failure at any instant") {
  FlashDeviceParameters p = fragile_device();
  SECTION("one page per unit") {}
  SECTION("parts of pages") {
    p.controller.mapping.unit_bytes = 4096;
    p.controller.mapping.over_provisioning = 0.7;
  }
  SECTION("one page per wordline") { p.nand.coding = "slc", p.nand.timing.t_read_us = {61}; }
  SECTION("rows with parity") {
    p.channel.count = GENERATE(1u, 2u);
    p.controller.parity.stripe_dies = 2 * p.channel.count;
    p.nand.geometry.blocks_per_plane = 28;
    p.controller.mapping.over_provisioning = 2;
    p.controller.garbage_collection.start_free_blocks = 8;
    p.controller.garbage_collection.reserved_blocks = 6;
    if (GENERATE(false, true)) p.controller.streams.policy = {"hot_cold", nullptr};
  }
  SECTION("hot and cold streams") { p.controller.streams.policy = {"hot_cold", nullptr}; }
  SECTION("everything in one stream") { p.controller.streams.policy = {"single", nullptr}; }
  SECTION("blocks with their own write mode") {
    p.controller.write_mode.kept_weeks = 2;
    p.controller.write_mode.step_ratio = 2.33;
    if (GENERATE(true, false)) p.controller.streams.policy = {"single", nullptr};
  }
  SECTION("without checkpoints of the mapping") { p.controller.power_loss.mapping_checkpoints = false; }
  SECTION("where pages move with the tags of other blocks") { p.controller.garbage_collection.copyback = true; }
  Host host(p, 1);
  cut_often(host, 250, 2);
  WARN("longest recovery " << host.longest_recovery / microsecond << " us");
}

}  // namespace
}  // namespace nandscape
