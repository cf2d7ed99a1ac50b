// SPDX-License-Identifier: Apache-2.0
// What is behind a controller: channels with their dies, and ECC engines. Whoever brings a controller binds its sockets
// to these.
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
#include "platform/blocks/ecc_engine_block.h"
#include "platform/blocks/waves.h"
#include "platform/config/block_choices.h"
#include "platform/timeline/flash_timeline.h"
#include "platform/wiring/device_facts.h"
#include "platform/wiring/links.h"
#include "rtl/onfi/bus_turns.h"

namespace nandscape {

// What a die holds before the simulation begins, by its number; null: nothing.
class InitialContents {
 public:
  virtual std::unique_ptr<nand::InitialPages> pages(DieId die) const = 0;
  virtual std::unique_ptr<nand::InitialTags> tags(DieId die) const = 0;
  virtual std::unique_ptr<nand::InitialAges> ages(DieId die) const = 0;

 protected:
  ~InitialContents() = default;
};

class FlashMedia {
 public:
  struct Choices {
    BlockChoices blocks;
    std::uint64_t seed = 1;
    bool check_protocol = false;  // on all links
    std::uint32_t tag_words = 0;  // that the controller keeps in the spare area of a page; 0: none
    const InitialContents* initial = nullptr;
    bool controller_is_foreign = false;  // it has processes of its own
    Timeline* timeline = nullptr;
  };

  // The facts must outlive it.
  FlashMedia(const FlashDeviceParameters& parameters, const DeviceFacts& facts, const Choices& choices,
             Calendar& calendar);
  ~FlashMedia();

  // From a controller's sockets.
  void connect_channel(std::uint32_t channel, JobInitiatorSocket<NandCommand>& socket);
  void connect_engine(std::uint32_t engine, JobInitiatorSocket<EccJob>& decode, JobInitiatorSocket<EccJob>& encode);

  // --- blocks with processes of their own (platform/blocks/drive.h)
  Tick lookahead() const;
  bool at_work() const;
  // Which of them have work beside their transactions, and the histories of those on all links that are watched; empty
  // when there are none.
  std::string outstanding() const;
  void check_lasting() const;
  void check_persistent() const;

  // --- dies. Of those that have no built-in one inside, nothing is known.
  // Throws RequestError when there is no such die, or it is one of these. `what` is asked of it.
  nand::Die& die(DieId id, const char* what);
  const nand::Die& die(DieId id, const char* what) const;
  // Failures to come, whatever the cells are (see nand/die_faults.h). Likewise, and when there is no such block.
  void fail_next(DieId id, NandOperation operation, std::uint32_t count);
  void fail_block(BlockId block);
  void kill(DieId id);
  // What is in a block, to look at (platform/blocks/drive.h). Likewise.
  std::uint32_t programmed_wordlines(BlockId block);
  std::vector<float> threshold_voltages(BlockId block, std::uint32_t wordline, Tick now);
  bool idle() const;
  void power_cut(Tick now);
  void advance(double hours, double temperature_c);
  void persist_dies(Archive& archive, Tick now);
  // Of engines and channels.
  void persist_counters(Archive& archive);

  // --- figures
  nand::DieCounters nand_counters() const;
  ecc::EccCounters ecc_counters() const;
  // Of the pages of one code.
  ecc::EccCounters ecc_counters(CodeNumber code) const;
  // Of one engine; they are numbered group by group.
  ecc::EccCounters ecc_counters(std::size_t engine, CodeNumber code) const;
  // How long buses were in use, summed over the channels; each bus by its number; the array of each die by its number.
  Tick channel_busy() const;
  std::vector<BusyTimes::Unit> busy_channels() const;
  std::vector<BusyTimes::Unit> busy_dies() const;
  // Share of the time [0, now) in which the buses were in use, the mean over the channels.
  double channel_busy_fraction(Tick now) const;

 private:
  void make_engines(const Choices& choices);
  void make_channel(const FlashDeviceParameters& parameters, const Choices& choices, std::uint32_t number);
  void make_die(const FlashDeviceParameters& parameters, const Choices& choices, std::uint32_t channel,
                std::uint32_t number);
  // A block of a die, numbered over its planes.
  struct BlockOfDie {
    nand::Die& die;
    std::uint32_t block;
  };
  BlockOfDie block_of_die(BlockId block, const char* what);
  nand::Die& built_in(std::size_t die, const char* what) const;
  template <class Visit>
  void for_each_block(Visit visit) const;

  const DeviceFacts& facts_;
  const BlockChoices blocks_;
  WaveFiles waves_;
  const bool controller_is_foreign_;
  Calendar& calendar_;
  const channel::BusTiming no_bus_time_;  // of channels whose dies carry it
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
