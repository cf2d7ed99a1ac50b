// SPDX-License-Identifier: Apache-2.0
// The stages between the front end and the flash translation layer: firmware and data cache, as configured. These
// stages know which writes the host regards as durable, so they save these writes when the drive switches off.
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
  // All arguments except `keep_data` must outlive this object.
  HostStages(const controller::ControllerParameters& parameters, bool keep_data, controller::Ftl& ftl,
             Calendar& calendar);

  // Returns the storage that the front end accesses. This is the first stage, or the flash translation layer if no
  // stage is configured.
  StorageDevice& storage() { return *storage_; }

  // These functions return null if the stage is not configured.
  const controller::FirmwareStage* firmware() const { return firmware_.get(); }
  const controller::DataCache* cache() const { return cache_.get(); }
  const controller::Dram* dram() const { return dram_.get(); }

  // --- switching off. After a call of write_back() or save(), the front end no longer receives completions.

  // Writes the data in the cache to flash. The rules of host writes apply, so garbage collection first makes room for
  // the data.
  void write_back(Tick now);
  // Programs the data in the latches, and the data in a cache with a capacitor, to any free flash pages. Calls `saved`
  // when this is done.
  void save(Tick now, controller::Unanswered unanswered, controller::TrimRecords trims, std::function<void()> saved);
  // Returns whether no work is left and the cache contains no dirty data.
  bool settled() const;

  // lost_writes() returns the acknowledged writes that would be lost if the supply failed at the present time.
  // left_to_save() returns estimates of the time and the flash pages that are needed to save them.
  controller::LostWrites lost_writes() const;
  struct LeftToSave {
    Tick time = 0;
    std::uint64_t pages = 0;
  };
  LeftToSave left_to_save() const;

  // --- the state of settled stages, and the part of this state that survives a power cycle

  void persist(Archive& archive);
  void persist_counters(Archive& archive);

  // --- statistics

  void describe(StatisticsVisitor& visitor) const;
  void add_busy_times(BusyTimes& times) const;
  void add_energy(EnergyAccount& account) const;
  void add_stocks(Stocks& stocks) const;

 private:
  void flush(StorageDevice& storage, Tick now, std::function<void()> flushed);

  // Receives the completions in place of the front end while data are saved.
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
