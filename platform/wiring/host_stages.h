// SPDX-License-Identifier: Apache-2.0
// The stages between the front end and the flash translation layer: firmware and data cache, as configured. They know
// which writes the host counts as durable, so they save them when the drive switches off.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "controller/cache/data_cache.h"
#include "controller/dram/dram.h"
#include "controller/firmware/firmware_stage.h"
#include "controller/ftl.h"
#include "core/statistics.h"
#include "platform/blocks/busy_times.h"
#include "platform/blocks/energy_account.h"
#include "platform/blocks/stock.h"

namespace nandscape {

class HostStages {
 public:
  // All arguments but `keep_data` must outlive this object.
  HostStages(const controller::ControllerParameters& parameters, bool keep_data, controller::Ftl& ftl,
             Calendar& calendar);

  // The storage for the front end: the first stage, or the flash translation layer if there is none.
  StorageDevice& storage() { return *storage_; }

  // Null if not configured.
  const controller::FirmwareStage* firmware() const { return firmware_.get(); }
  const controller::DataCache* cache() const { return cache_.get(); }
  const controller::Dram* dram() const { return dram_.get(); }

  // --- switching off. After write_back() and save() the front end receives no completions.

  // Writes the cache's data to flash under the rules of host writes: garbage collection makes room first.
  void write_back(Tick now);
  // Programs the data of the latches, and of a cache with a capacitor, to any free flash pages; then calls `saved`.
  void save(Tick now, controller::Unanswered unanswered, controller::TrimRecords trims, std::function<void()> saved);
  // Whether no work is left and the cache is clean.
  bool settled() const;

  // Acknowledged writes that a supply failure would lose now, and estimates of the time and pages needed to save them.
  controller::LostWrites lost_writes() const;
  struct LeftToSave {
    Tick time = 0;
    std::uint64_t pages = 0;
  };
  LeftToSave left_to_save() const;

  // --- state of settled stages, and the part of it that survives a power cycle

  void persist(Archive& archive);
  void persist_counters(Archive& archive);

  // --- statistics

  void describe(StatisticsVisitor& visitor) const;
  void add_busy_times(BusyTimes& times) const;
  void add_energy(EnergyAccount& account) const;
  void add_stocks(Stocks& stocks) const;

 private:
  void flush(StorageDevice& storage, Tick now, std::function<void()> flushed);

  // Receives completions instead of the front end.
  struct Saver final : StorageClient {
    void completed(PageAccess& access, Tick now) override;
    PageAccess flush;
    std::function<void()> saved;
  };

  const controller::ControllerParameters& parameters_;
  controller::Ftl& ftl_;
  Calendar& calendar_;
  std::unique_ptr<controller::Dram> dram_;
  std::unique_ptr<controller::DataCache> cache_;
  std::unique_ptr<controller::FirmwareStage> firmware_;
  StorageDevice* storage_;
  Saver saver_;
};

}  // namespace nandscape
