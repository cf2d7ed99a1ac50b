// SPDX-License-Identifier: Apache-2.0
// The device behind its front end: the stages that an access goes through before the flash translation layer, the
// controller, channels with their ECC engines, dies.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "channel/channel_module.h"
#include "controller/cache/data_cache.h"
#include "controller/controller_module.h"
#include "controller/dram/dram.h"
#include "controller/firmware/firmware_stage.h"
#include "ecc/engine_module.h"
#include "ecc/page_coders/decoder_model.h"
#include "ecc/page_coders/page_coder.h"
#include "nand/cell_models/cell_model.h"
#include "nand/die_module.h"
#include "platform/config/flash_device_parameters.h"
#include "protocol/protocol_checker.h"

namespace nandscape {

class FlashDevice {
 public:
  // With check_protocol, a checker sits in every link; a block that breaks the protocol throws a ProtocolError.
  FlashDevice(const FlashDeviceParameters& parameters, bool keep_data, const VariantChoice& cells, std::uint64_t seed,
              Calendar& calendar, bool check_protocol = false,
              controller::StartUp start_up = controller::StartUp::as_preconditioned);
  // In one place: it takes down the whole drive, which is more code than most of those have who make one.
  ~FlashDevice();

  // What the front end talks to: firmware, then cache, then controller, as far as the configuration has them.
  StorageDevice& storage() { return *storage_; }

  controller::Ftl& ftl() { return controller_->ftl(); }
  const controller::Ftl& ftl() const { return controller_->ftl(); }

  // Failures to come, whatever the cells are (see nand/die_faults.h). Each throws RequestError when there is no such
  // die or block.
  void fail_next(DieId die, NandOperation operation, std::uint32_t count);
  void fail_block(BlockId block);
  void kill(DieId die);

  // The supply fails: of all that is in the device, only what the dies hold is left (see nand/die.h). Nothing may run
  // afterwards; persist_media() takes the dies over to a device that is powered on.
  void power_cut(Tick now);
  // Time that is not simulated passes, at that temperature: stored data age.
  void advance(double hours, double temperature_c);
  // Writes or reads back what lasts: the checkpoint of the mapping, and the state of all dies, which must be idle, in a
  // simulation whose time is `now`.
  void persist_media(Archive& archive, Tick now);
  bool media_idle() const;

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

  nand::DieCounters nand_counters() const;
  const DriveCodes& codes() const { return codes_; }
  ecc::EccCounters ecc_counters() const;
  // Of the pages of one code.
  ecc::EccCounters ecc_counters(CodeNumber code) const;
  // How long buses were in use, summed over the channels.
  Tick channel_busy() const;
  // Of one channel and one die, those that were in use for longest.
  Tick busiest_channel() const;
  Tick busiest_die() const;
  // Share of the time [0, now) in which the channels' buses were in use, the mean over the channels.
  double channel_busy_fraction(Tick now) const;
  // With check_protocol: histories of the transactions that are on a link; empty when the device is idle.
  std::string outstanding_transactions() const;

 private:
  void check_media(Archive& archive) const;
  std::unique_ptr<ecc::PageCoder> make_coder(std::uint64_t seed, const std::string& engine) const;
  void make_engines(std::uint64_t seed, Calendar& calendar);
  // The stages before the controller.
  void add_stages(const controller::ControllerParameters& parameters, bool keep_data, Calendar& calendar);
  // Of the die whose page 0 is `first`; null when no data are kept.
  std::unique_ptr<nand::PageStore> make_store(Ppn first) const;
  std::unique_ptr<nand::PageTags> make_tags(Ppn first) const;
  // Of the next die; null when all that the device holds is of one age.
  std::unique_ptr<nand::InitialAges> make_ages(const controller::PreconditionParameters& precondition) const;
  nand::Die& die(DieId id);

  void flush(StorageDevice& storage, Tick now, std::function<void()> flushed);

  // In the place of the front end.
  struct Saver final : StorageClient {
    void completed(PageAccess& access, Tick now) override;
    PageAccess flush;
    std::function<void()> saved;
  };

  template <class Job>
  using Checkers = std::vector<std::unique_ptr<ProtocolChecker<JobProtocol<Job>>>>;

  // Binds the sockets to each other; with check_protocol, through a checker of that name.
  template <class Job>
  void connect(JobInitiatorSocket<Job>& initiator, JobTargetSocket<Job>& target, const std::string& name,
               Checkers<Job>& checkers);

  const Geometry geometry_;
  const nand::NandTiming nand_timing_;
  const channel::BusTiming bus_timing_;
  const std::unique_ptr<ecc::DecoderModel> decoder_;
  const std::unique_ptr<nand::CellModel> cell_model_;
  const DriveCodes codes_;
  const controller::DataPath path_;
  const std::unique_ptr<nand::CellDevice> cell_device_;  // null when cells have no errors
  const bool check_protocol_;
  std::unique_ptr<controller::ControllerModule> controller_;
  std::unique_ptr<controller::Dram> dram_;
  std::unique_ptr<controller::DataCache> cache_;
  std::unique_ptr<controller::FirmwareStage> firmware_;
  StorageDevice* storage_ = nullptr;
  Saver saver_;
  std::vector<std::unique_ptr<channel::ChannelModule>> channels_;
  std::vector<std::unique_ptr<ecc::EccEngineModule>> engines_;  // group by group
  std::vector<std::unique_ptr<nand::CellArray>> cells_;         // by die
  std::vector<std::unique_ptr<nand::DieModule>> dies_;
  Checkers<NandCommand> command_checkers_;
  Checkers<EccJob> job_checkers_;
};

}  // namespace nandscape
