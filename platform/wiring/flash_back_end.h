// SPDX-License-Identifier: Apache-2.0
// The back end of a drive: the channels with their dies, and the ECC engines. A controller binds its sockets to the
// back end.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "nand/cell_models/block_histories.h"
#include "platform/blocks/busy_times.h"
#include "platform/blocks/channel_block.h"
#include "platform/blocks/die_block.h"
#include "platform/blocks/drive.h"
#include "platform/blocks/ecc_engine_block.h"
#include "platform/blocks/media_probe.h"
#include "platform/blocks/waves.h"
#include "platform/config/block_choices.h"
#include "platform/timeline/flash_timeline.h"
#include "platform/wiring/device_facts.h"
#include "platform/wiring/links.h"
#include "rtl/onfi/bus_turns.h"

namespace nandscape {

// The initial contents of a die when the simulation begins. Each function returns null if there are none.
class InitialContents {
 public:
  virtual std::unique_ptr<nand::InitialPages> pages(DieId die) const = 0;
  virtual std::unique_ptr<nand::InitialTags> tags(DieId die) const = 0;
  virtual std::unique_ptr<nand::InitialAges> ages(DieId die) const = 0;

 protected:
  ~InitialContents() = default;
};

class FlashBackEnd final : public MediaProbe {
 public:
  // The facts about the controller that the back end needs.
  struct Controller {
    std::uint32_t tag_words = 0;  // words of the controller's tag in the spare area of a page; 0 if there is no tag
    const InitialContents* initial = nullptr;
    bool is_foreign = false;  // the controller has SystemC processes
  };

  // If simulation.check_protocol is set, every link has a checker. It throws a ProtocolError when a block violates the
  // protocol. `facts` must outlive this object.
  FlashBackEnd(const DriveContext& context, const DeviceFacts& facts, const Controller& controller);
  ~FlashBackEnd();

  // These functions connect the sockets of the controller to a channel or to an engine.
  void connect_channel(std::uint32_t channel, JobInitiatorSocket<NandCommand>& socket);
  void connect_engine(std::uint32_t engine, JobInitiatorSocket<EccJob>& decode, JobInitiatorSocket<EccJob>& encode);

  // --- blocks with SystemC processes (platform/blocks/drive.h)
  Tick lookahead() const;
  bool at_work() const;
  // Describes the blocks that have work in addition to their transactions, and the transaction histories of all watched
  // links. Returns an empty string if there are none.
  std::string outstanding() const;
  void check_lasting() const;
  void check_persistent() const;

  // --- dies. Only built-in dies, or dies that contain one, can be accessed.
  //
  // Returns the die with this number. Throws RequestError if there is no such die, or if it does not contain a built-in
  // die. `what` names the requested property in the message.
  nand::Die& die(DieId id, const char* what) const;
  // Implementation of MediaProbe. These functions throw RequestError for the same reasons as die().
  void fail_next(DieId id, NandOperation operation, std::uint32_t count) override;
  void fail_block(BlockId block) override;
  void kill_die(DieId id) override;
  std::uint32_t programmed_wordlines(BlockId block) const override;
  std::vector<float> threshold_voltages(BlockId block, std::uint32_t wordline) const override;

  bool idle() const;
  void power_cut(Tick now);
  void advance(double hours, double temperature_c);
  void persist_dies(Archive& archive, Tick now);
  // Saves or restores the counters of engines and channels.
  void persist_counters(Archive& archive);

  // --- statistics
  nand::DieCounters nand_counters() const;
  // Returns the array time that has been counted, but lies after the present time.
  nand::ArrayTimes array_times_ahead() const;
  ecc::EccCounters ecc_counters() const;
  // Returns the counters for the pages of one code.
  ecc::EccCounters ecc_counters(CodeNumber code) const;
  // Returns the counters of one engine for one code. Engines are numbered group by group.
  ecc::EccCounters ecc_counters(std::size_t engine, CodeNumber code) const;
  // Return the time for which buses were in use, as a sum and for each channel, and the time for which the array of
  // each die was in use.
  Tick channel_busy() const;
  // Returns the bytes of data that the buses have transferred in both directions, without spare bytes.
  std::uint64_t channel_bytes() const;
  std::vector<BusyTimes::Unit> busy_channels() const;
  std::vector<BusyTimes::Unit> busy_dies() const;
  // Returns the share of the time [0, now) for which a bus was in use, averaged over the channels.
  double channel_busy_fraction(Tick now) const;

 private:
  void make_engines(std::uint64_t seed);
  // Throws ConfigError if the engine is to be a pool of several units and cannot.
  void check_pool(const EccEngineBlock& engine, std::uint32_t units) const;
  void make_channel(const PlatformParameters& parameters, const Controller& controller, std::uint32_t number);
  void make_die(const PlatformParameters& parameters, const Controller& controller, std::uint32_t channel,
                std::uint32_t number);
  struct BlockOfDie {
    nand::Die& die;
    BlockInDie block;
  };
  BlockOfDie block_of_die(BlockId block, const char* what) const;
  template <class Visit>
  void for_each_block(Visit visit) const;

  const DeviceFacts& facts_;
  const BlockChoices blocks_;
  WaveFiles waves_;
  const bool controller_is_foreign_;
  Calendar& calendar_;
  // A timing without bus time, for channels whose dies already include the time of the bus cycles.
  const channel::BusTiming no_bus_time_;
  Links links_;
  FlashTimeline timeline_;
  std::vector<std::unique_ptr<EccEngineBlock>> engines_;  // group by group
  std::vector<std::string> engine_names_;
  std::vector<std::unique_ptr<ChannelBlock>> channels_;
  std::deque<rtl::onfi::BusTurns> bus_turns_;            // by channel
  std::vector<std::unique_ptr<nand::CellArray>> cells_;  // by die
  std::vector<std::unique_ptr<DieBlock>> dies_;
  std::vector<std::string> die_names_;
};

}  // namespace nandscape
