// SPDX-License-Identifier: Apache-2.0
// The flash translation layer: turns accesses to logical pages into flash commands. It owns the state of the drive and
// the engines that work on it, and connects them:
//
//   host_io/    reads, writes, trims and flushes of the host
//   migration/  background moves: collection, refresh, wear levelling, scrub
//   power_loss/ state that outlives a power loss, and recovery at power-on
//   writing/    the order of pages, and their durability
//   reading/    reads of a page until it is decoded
//   flash_ops/  flash commands, the scheduler, the path to channels and ECC engines
//   mapping/    state of the mapping and of the blocks; it calls no engine
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "controller/controller_counters.h"
#include "controller/ftl_parts.h"
#include "controller/hold_up.h"
#include "controller/host_io/host_flushes.h"
#include "controller/host_io/journal_client.h"
#include "controller/power_cycle.h"
#include "core/component.h"
#include "protocol/storage.h"

namespace nandscape::controller {

// The superblocks that are not retired, and their programmed pages, valid or not.
struct BlockUse {
  double programmed_bytes = 0;
  double bytes = 0;          // all pages of these superblocks
  std::uint32_t planes = 0;  // number of mapping planes
  double block_bytes = 0;
};

class Ftl final : public StorageDevice {
 public:
  // Commands go to `flash`, codewords to `ecc`. `times`, if given, records latency parts.
  Ftl(const FtlPlan& plan, FlashScheduler::Port& flash, EccPort& ecc, FlashTimes* times = nullptr);

  // StorageDevice
  void set_client(StorageClient& client) override { port_.client = &client; }
  void submit(PageAccess& access, Tick now) override { accesses_.submit(access, now); }
  std::uint64_t logical_pages() const override { return mapping_.map.host_units(); }
  std::uint32_t page_bytes() const override { return mapping_.layout.unit_bytes(); }
  std::uint32_t pages_written_together() const override { return mapping_.layout.units_per_page(); }
  std::uint64_t save_room() const override { return power_cycle_.save_room(); }
  bool read_only() const override { return end_of_life_.read_only(); }
  DeviceHealth health() const override;

  // Recovery of the mapping, and saving on capacitor power.
  PowerCycle& power_cycle() { return power_cycle_; }
  const PowerCycle& power_cycle() const { return power_cycle_; }
  bool recovering() const { return power_loss_.recovery.under_way(); }
  // Writes a checkpoint, so that the next recovery reads no tags. Called before the drive is switched off; the drive
  // must be settled.
  void write_checkpoint(Tick now);
  bool writes_checkpoints() const { return power_loss_.checkpoints.kept(); }
  // Stops collection during a save.
  void halt_collection() { collector_.halt(); }
  // Lets `hours` equivalent hours at 30 C pass, which are not simulated, with the device switched on. The drive does
  // the maintenance that the ageing of its data requires.
  void advance(double hours, Tick now) {
    clock_.pass(hours);
    migration_.care.advance(hours, now);
  }
  // The equivalent hours at 30 C that one call of advance() may let pass.
  double hours_left(Tick now) const { return migration_.care.hours_left(now); }
  // Lets equivalent hours at 30 C pass without power and without maintenance.
  void pass_without_power(double hours) {
    clock_.pass(hours);
    migration_.care.clock_changed(calendar_.now());
  }

  bool all_durable() const {
    return writing_.writer.ledger().undurable().count() == 0 &&
           (migration_.renewal == nullptr || !migration_.renewal->copies().at_risk());
  }
  // Whether all data are durable and no operation is under way or pending, except those that are due at a later time.
  bool settled() const;
  // Whether no access and no collection is under way: no op is in use, and no block waits for a command.
  bool idle() const;
  // Called when accesses are pending but no event is left that could complete one: see EndOfLife.
  bool end_stall(Tick now) { return end_of_life_.end_stall(now); }
  const std::string& stall_report() const { return end_of_life_.report(); }
  std::string waiting() const { return report_waiting(components_); }

  // Saves or restores the controller's state (ftl_state.cpp); the controller must be settled.
  void persist(Archive& archive);
  // The state that outlives a power loss: the checkpoint of the mapping on flash, and the drive's clock.
  void persist_lasting(Archive& archive) {
    power_loss_.checkpoints.persist(archive);
    clock_.persist(archive);
  }
  // Saves or restores the counters, including those of earlier power cycles.
  void persist_counters(Archive& archive);
  ControllerCounters counters() const;
  BlockUse block_use() const;
  const HoldUp& hold_up() const { return hold_up_; }
  // Pages in the dies' latches.
  const WordlineLedger& ledger() const { return writing_.writer.ledger(); }
  // The number of programmed pages in the flash block according to the controller, or nothing if it does not know.
  std::optional<std::uint32_t> programmed_pages(FlashPlane flash_plane, BlockInPlane block_of_plane) const;
  // The mode of the flash block's cells according to the controller, or nothing for a block that is not used again.
  std::optional<ProgramMode> cells_of(FlashPlane flash_plane, BlockInPlane block_of_plane) const;

  // Charges moves and erases to the firmware. Without this call, they take none of its time.
  void set_firmware(FirmwareStage& firmware);
  // The scheduler, which receives the phases from the channels.
  FlashScheduler& scheduler() { return reading_.scheduler; }
  // See FlashScheduler::occupied_dies().
  std::vector<Tick> occupied_dies() const { return reading_.scheduler.occupied_dies(); }
  // The initial content of the flash, in the places that the layout gives it.
  const InitialFill& initial_fill() const { return mapping_.initial; }
  const FlashLayout& layout() const { return mapping_.layout; }
  const BlockShapes& shapes() const { return mapping_.shapes; }
  // The selection of codes; null if all pages use one code.
  CodeChooser* codes() const { return chosen_.codes.get(); }

 private:
  double percentage_used() const;
  void connect(const FtlPlan& plan);
  void resume_filled_blocks();
  void list_components();
  bool components_idle() const { return std::ranges::all_of(components_, &Component::idle); }

  Calendar& calendar_;
  const HoldUp hold_up_;
  PowerState power_;
  DriveClock clock_;
  HostPort port_;
  ChosenPolicies chosen_;
  MappingParts mapping_;
  ReadingParts reading_;
  GarbageCollector collector_;
  WritingParts writing_;
  PowerLossParts power_loss_;
  MigrationParts migration_;
  EndOfLife end_of_life_;
  HostFlushes flushes_;
  HostParts host_;
  HostAccesses accesses_;
  JournalClient journal_client_;
  PowerCycle power_cycle_;
  Components components_;
};

}  // namespace nandscape::controller
