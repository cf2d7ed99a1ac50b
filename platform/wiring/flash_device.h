// SPDX-License-Identifier: Apache-2.0
// The device behind its front end: the stages that an access goes through before the flash translation layer, the
// controller, and the media behind it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "controller/cache/data_cache.h"
#include "controller/controller_module.h"
#include "controller/dram/dram.h"
#include "controller/firmware/firmware_stage.h"
#include "platform/config/flash_device_parameters.h"
#include "platform/wiring/device_facts.h"
#include "platform/wiring/flash_media.h"
#include "platform/wiring/initial_pages.h"

namespace nandscape {

class FlashDevice {
 public:
  // With check_protocol, a checker sits in every link; a block that breaks the protocol throws a ProtocolError. With
  // keeps_times, accesses that have a time sheet get it filled in (protocol/time_sheet.h).
  FlashDevice(const FlashDeviceParameters& parameters, bool keep_data, const VariantChoice& cells, std::uint64_t seed,
              Calendar& calendar, bool check_protocol = false,
              controller::StartUp start_up = controller::StartUp::as_preconditioned, const BlockChoices& blocks = {},
              Timeline* timeline = nullptr, bool keeps_times = false);
  // In one place: it takes down the whole drive, which is more code than most of those have who make one.
  ~FlashDevice();

  // What the front end talks to: firmware, then cache, then controller, as far as the configuration has them.
  StorageDevice& storage() { return *storage_; }

  controller::Ftl& ftl() { return controller_->ftl(); }
  const controller::Ftl& ftl() const { return controller_->ftl(); }

  // The supply fails: of all that is in the device, only what the dies hold is left (see nand/die.h). Nothing may run
  // afterwards; persist_media() takes the dies over to a device that is powered on.
  void power_cut(Tick now);
  // Time that is not simulated passes, at that temperature: stored data age.
  void advance(double hours, double temperature_c);
  // Writes or reads back what lasts: the checkpoint of the mapping, and the state of all dies, which must be idle, in a
  // simulation whose time is `now`.
  void persist_media(Archive& archive, Tick now);
  // Of what the host was answered for: what the supply would take away now, and about how long it would take to save.
  controller::LostWrites lost_writes() const;
  struct LeftToSave {
    Tick time = 0;
    std::uint64_t pages = 0;
  };
  LeftToSave left_to_save() const;
  bool media_idle() const { return media_->idle(); }

  // Sends what the cache holds to the flash, by the rules for writes of the host: collection makes room first. The
  // front end hears of nothing any more: it is for a device that is about to be switched off.
  void write_back(Tick now);
  // Sends what lasts without the supply to the cells, in any room that there is; `saved` is called when that is done.
  // That is what the latches hold, and a cache with a capacitor. Here, too, the front end hears of nothing any more.
  void save(Tick now, controller::Unanswered unanswered, std::function<void()> saved);
  // Accesses are open, and no event is left: see Ftl::end_stall().
  bool end_stall(Tick now) { return ftl().end_stall(now); }
  // Whether that has left nothing to do.
  bool settled() const;
  // Writes or reads back what the controller knows, when settled.
  void persist_controller(Archive& archive);
  // What all parts but the dies have counted, and what outlives a power cycle of them.
  void persist_counters(Archive& archive);

  // Null when the configuration has none.
  const controller::FirmwareStage* firmware() const { return firmware_.get(); }
  const controller::DataCache* cache() const { return cache_.get(); }
  const controller::Dram* dram() const { return dram_.get(); }

  const DeviceFacts& facts() const { return facts_; }
  const FlashMedia& media() const { return *media_; }
  FlashMedia& media() { return *media_; }

 private:
  // What the dies hold from the start, by the fill of the controller.
  class Fill final : public InitialContents {
   public:
    explicit Fill(const FlashDevice& device, bool of_one_age) : device_(device), of_one_age_(of_one_age) {}
    std::unique_ptr<nand::InitialPages> pages(DieId die) const override;
    std::unique_ptr<nand::InitialTags> tags(DieId die) const override;
    std::unique_ptr<nand::InitialAges> ages(DieId die) const override;

   private:
    Ppn first_page(DieId die) const;
    FilledCodes codes() const;

    const FlashDevice& device_;
    const bool of_one_age_;
  };

  void check_media(Archive& archive) const;
  // The stages before the controller.
  void add_stages(const controller::ControllerParameters& parameters, bool keep_data, Calendar& calendar);
  void connect();
  // Programs the pages that hold data before the simulation begins.
  void precondition();

  void flush(StorageDevice& storage, Tick now, std::function<void()> flushed);

  // In the place of the front end.
  struct Saver final : StorageClient {
    void completed(PageAccess& access, Tick now) override;
    PageAccess flush;
    std::function<void()> saved;
  };

  const DeviceFacts facts_;
  std::unique_ptr<controller::ControllerModule> controller_;
  std::unique_ptr<controller::Dram> dram_;
  std::unique_ptr<controller::DataCache> cache_;
  std::unique_ptr<controller::FirmwareStage> firmware_;
  StorageDevice* storage_ = nullptr;
  Saver saver_;
  std::unique_ptr<FlashMedia> media_;
};

}  // namespace nandscape
