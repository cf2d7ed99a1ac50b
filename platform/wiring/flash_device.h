// SPDX-License-Identifier: Apache-2.0
// The device behind the front end: the stages before the flash translation layer (firmware and cache), the controller,
// and the media.
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
#include "platform/wiring/flash_back_end.h"
#include "platform/wiring/initial_pages.h"

namespace nandscape {

class FlashDevice {
 public:
  // With check_protocol, every link has a checker, which throws a ProtocolError when a block violates the protocol.
  // With keeps_times, the time sheets of accesses are filled in (protocol/time_sheet.h).
  FlashDevice(const FlashDeviceParameters& parameters, bool keep_data, const VariantChoice& cells, std::uint64_t seed,
              Calendar& calendar, bool check_protocol = false,
              controller::StartUp start_up = controller::StartUp::as_preconditioned, const BlockChoices& blocks = {},
              Timeline* timeline = nullptr, bool keeps_times = false);
  // Out of line, since the destruction of a whole drive is much code to inline.
  ~FlashDevice();

  // The storage for the front end: the first configured stage of firmware, cache and controller.
  StorageDevice& storage() { return *storage_; }

  controller::Ftl& ftl() { return controller_->ftl(); }
  const controller::Ftl& ftl() const { return controller_->ftl(); }

  // The supply fails: only the contents of the dies remain (see nand/die.h). Nothing may run afterwards;
  // persist_media() transfers the dies to the device of the next power cycle.
  void power_cut(Tick now);
  // Ages stored data by `hours` at that temperature. The hours are not simulated time.
  void advance(double hours, double temperature_c);
  // Saves or restores the non-volatile state at simulated time `now`: the checkpoint of the mapping, and the state of
  // all dies, which must be idle.
  void persist_media(Archive& archive, Tick now);
  // Acknowledged writes that a supply failure would lose now, and estimates of the time and pages needed to save them.
  controller::LostWrites lost_writes() const;
  struct LeftToSave {
    Tick time = 0;
    std::uint64_t pages = 0;
  };
  LeftToSave left_to_save() const;
  bool media_idle() const { return back_end_->idle(); }

  // Writes the cache's data to flash under the rules of host writes: garbage collection makes room first. Afterwards
  // the front end receives no completions, so use it only before the device is switched off.
  void write_back(Tick now);
  // Programs the data of the latches, and of a cache with a capacitor, to any free flash pages; then calls `saved`.
  // Afterwards the front end receives no completions.
  void save(Tick now, controller::Unanswered unanswered, std::function<void()> saved);
  // Called when accesses are open and no event is left; see Ftl::end_stall().
  bool end_stall(Tick now) { return ftl().end_stall(now); }
  // Whether no work is left and the cache is clean.
  bool settled() const;
  // Saves or restores the state of a settled controller.
  void persist_controller(Archive& archive);
  // Saves or restores the counters of all parts except the dies, and the other state of these parts that survives a
  // power cycle.
  void persist_counters(Archive& archive);

  // Null if not configured.
  const controller::FirmwareStage* firmware() const { return firmware_.get(); }
  const controller::DataCache* cache() const { return cache_.get(); }
  const controller::Dram* dram() const { return dram_.get(); }

  const DeviceFacts& facts() const { return facts_; }
  const FlashBackEnd& back_end() const { return *back_end_; }
  FlashBackEnd& back_end() { return *back_end_; }

 private:
  // The initial contents of the dies, from the controller's InitialFill.
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
  // Marks the pages of the initial fill as programmed.
  void precondition();

  void flush(StorageDevice& storage, Tick now, std::function<void()> flushed);

  // Receives completions instead of the front end.
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
  std::unique_ptr<FlashBackEnd> back_end_;
};

}  // namespace nandscape
