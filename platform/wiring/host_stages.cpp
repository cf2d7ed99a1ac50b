// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/host_stages.h"

#include <utility>

namespace nandscape {

namespace {

// Returns the address of the mapping in DRAM: the first row behind the data cache.
std::uint64_t mapping_address(const controller::ControllerParameters& p) {
  if (p.cache.policy == controller::CachePolicy::none) return 0;
  return (p.cache.capacity_bytes + p.dram.row_bytes - 1) / p.dram.row_bytes * p.dram.row_bytes;
}

}  // namespace

HostStages::HostStages(const controller::ControllerParameters& p, bool keep_data, controller::Ftl& ftl,
                       Calendar& calendar)
    : parameters_(p), ftl_(ftl), calendar_(calendar), storage_(&ftl) {
  if (p.has_dram()) {
    dram_ = std::make_unique<controller::Dram>(p.dram);
  }
  if (p.mapping.memory == controller::MappingPlace::dram) ftl.keep_mapping_in(*dram_, mapping_address(p));
  if (p.cache.policy != controller::CachePolicy::none) {
    cache_ = std::make_unique<controller::DataCache>(p.cache, keep_data, *storage_, *dram_, calendar,
                                                     ftl.hold_up().cache_lasts());
    storage_ = cache_.get();
  }
  if (p.firmware.used()) {
    firmware_ = std::make_unique<controller::FirmwareStage>(p.firmware, *storage_, calendar);
    storage_ = firmware_.get();
    ftl.set_firmware(*firmware_);
  }
}

// --- switching off

void HostStages::write_back(Tick now) {
  if (cache_ == nullptr || cache_->clean()) return;
  cache_->save();
  flush(*storage_, now, {});
}

// Saves data at power-off. Data in a cache with a capacitor have been acknowledged, so they must be written to flash.
void HostStages::save(Tick now, controller::Unanswered unanswered, controller::TrimRecords trims,
                      std::function<void()> saved) {
  const bool lasts = cache_ != nullptr && cache_->backed_up();
  if (lasts) cache_->save();
  ftl_.power_cycle().save(now, lasts ? controller::Unanswered::written : unanswered, trims);
  flush(cache_ == nullptr || lasts ? *storage_ : ftl_, now, std::move(saved));
}

void HostStages::flush(StorageDevice& storage, Tick now, std::function<void()> flushed) {
  storage.set_client(saver_);
  saver_.saved = std::move(flushed);
  saver_.flush = {};
  saver_.flush.kind = AccessKind::flush;
  storage.submit(saver_.flush, now);
}

void HostStages::Saver::completed(PageAccess& access, Tick) {
  if (&access == &flush && saved) saved();
}

bool HostStages::settled() const {
  return ftl_.settled() && (cache_ == nullptr || (cache_->idle() && cache_->clean()));
}

controller::LostWrites HostStages::lost_writes() const {
  controller::LostWrites lost = ftl_.ledger().lost_without_power();
  if (cache_ == nullptr) return lost;
  cache_->for_each_answered([&](Lpn unit, controller::SectorSet sectors) {
    sectors.for_each_run([&](std::uint32_t first, std::uint32_t count) { lost.add(unit, first, count); });
  });
  return lost;
}

HostStages::LeftToSave HostStages::left_to_save() const {
  const controller::PagesToSave latched = ftl_.ledger().pages_to_save();
  const std::uint64_t cached = cache_ == nullptr ? 0 : cache_->unsaved();
  const std::uint64_t units_per_page = ftl_.layout().units_per_page();
  return {ftl_.hold_up().estimate(latched.of_busiest_plane, cached),
          latched.of_all + (cached + units_per_page - 1) / units_per_page};
}

// --- state

void HostStages::persist(Archive& archive) {
  archive.variant(cache_ == nullptr ? "" : "cache", [this](Archive& state) { cache_->persist(state); });
}

void HostStages::persist_counters(Archive& archive) {
  archive.variant(firmware_ == nullptr ? "" : "firmware", [this](Archive& a) { firmware_->persist_counters(a); });
  archive.variant(cache_ == nullptr ? "" : "cache", [this](Archive& a) { cache_->persist_counters(a); });
  archive.variant(dram_ == nullptr ? "" : "dram", [this](Archive& a) { dram_->persist_counters(a); });
}

// --- statistics

void HostStages::describe(StatisticsVisitor& v) const {
  if (firmware_ != nullptr) v.group("firmware", firmware_->counters(), "processor cores");
  if (cache_ != nullptr) v.group("cache", cache_->counters(), "data of the host in DRAM");
  if (dram_ != nullptr) v.group("dram", dram_->counters(), "the controller's DRAM");
}

void HostStages::add_busy_times(BusyTimes& times) const {
  times.add("firmware", "processor cores, mean over all",
            firmware_ == nullptr ? 0 : firmware_->counters().busy / parameters_.firmware.cores);
  times.add("dram", "the data bus of the DRAM", dram_ == nullptr ? 0 : dram_->counters().busy);
  const Tick now = calendar_.now();
  times.add("cache_room", "writes waited for room in the cache",
            cache_ == nullptr ? 0 : cache_->room_limit().total(now));
  times.add("save_room", "writes waited until the capacitor could save more",
            cache_ == nullptr ? 0 : cache_->save_room_limit().total(now));
  times.add("write_back_window", "the host waited for units that waited for one of controller.cache.writes_in_flight",
            cache_ == nullptr ? 0 : cache_->write_back_window().total(now));
}

void HostStages::add_energy(EnergyAccount& account) const {
  if (firmware_ != nullptr) {
    account.add("cores_j", 1e-3 * parameters_.power.core_mw * s_from_ticks(firmware_->counters().busy),
                "processor cores that work");
  }
  if (dram_ == nullptr) return;
  const controller::DramCounters& c = dram_->counters();
  const double bits = 8 * (static_cast<double>(c.bytes_read) + static_cast<double>(c.bytes_written));
  account.add("dram_j",
              1e-12 * parameters_.dram.energy_pj_per_bit * bits +
                  1e-9 * parameters_.dram.activate_nj * static_cast<double>(c.row_misses),
              "the data cache, and the mapping");
}

void HostStages::add_stocks(Stocks& stocks) const {
  if (cache_ == nullptr || !parameters_.cache.keeps_writes()) return;
  const double unit = cache_->page_bytes();
  const double dirty = static_cast<double>(cache_->counters().dirty_units) * unit;
  stocks.push_back({"write cache", dirty, static_cast<double>(parameters_.cache.capacity_bytes), 0});
}

}  // namespace nandscape
