// SPDX-License-Identifier: Apache-2.0
// The flash translation layer: converts accesses to logical pages into flash commands. It owns the state of the drive
// and the engines that change the state, and connects the engines with each other:
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

#include "controller/block_view.h"
#include "controller/controller_counters.h"
#include "controller/ftl_parts.h"
#include "controller/hold_up.h"
#include "controller/host_io/host_flushes.h"
#include "controller/host_io/journal_client.h"
#include "controller/mapping_memory/host_mapping.h"
#include "controller/power_cycle.h"
#include "core/component.h"
#include "protocol/storage.h"

namespace nandscape::controller {

// The capacity of the superblocks that are not retired, and how much of it is programmed. A programmed page counts
// whether or not it is valid.
struct BlockUse {
  double programmed_bytes = 0;
  double bytes = 0;          // all pages of these superblocks
  std::uint32_t planes = 0;  // number of mapping planes
  double block_bytes = 0;
};

class Ftl final : public StorageDevice {
 public:
  // Sends flash commands to `flash` and codewords to `ecc`. Records the parts of latencies in `times` if it is not
  // null.
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

  // Recovers the mapping at power-on, and saves data on capacitor power.
  PowerCycle& power_cycle() { return power_cycle_; }
  const PowerCycle& power_cycle() const { return power_cycle_; }
  bool recovering() const { return power_loss_.recovery.under_way(); }
  // Writes a checkpoint of the mapping, so that the next recovery need not read the tags of the pages. Called before
  // the drive is switched off. The drive must be settled.
  void write_checkpoint(Tick now);
  bool writes_checkpoints() const { return power_loss_.checkpoints.kept(); }
  // Stops collection while the drive saves on capacitor power.
  void halt_collection() { collector_.halt(); }
  void finish_victims(Tick now) { collector_.finish_victims(now); }
  // Ages the switched-on device by `hours` equivalent hours at 30 C without simulating them. The drive does the
  // maintenance that becomes due because of the age of its data.
  void advance(double hours, Tick now) {
    clock_.pass(hours);
    migration_.care.advance(hours, now);
  }
  // Returns the largest number of hours that one call of advance() may skip.
  double hours_left(Tick now) const { return migration_.care.hours_left(now); }
  // Ages the switched-off device by equivalent hours at 30 C, without any maintenance.
  void pass_without_power(double hours) {
    clock_.pass(hours);
    migration_.care.clock_changed(calendar_.now());
  }

  bool all_durable() const {
    return writing_.writer.ledger().undurable().count() == 0 &&
           (migration_.renewal == nullptr || !migration_.renewal->copies().at_risk());
  }
  // Whether all data are durable and no operation is under way or pending. An operation that becomes due at a later
  // time does not count.
  bool settled() const;
  // Whether no access and no collection is under way, so that no op is in use and no block waits for a command.
  bool idle() const;
  // Called when accesses are pending but no scheduled event can complete any of them; see EndOfLife::end_stall().
  bool end_stall(Tick now) { return end_of_life_.end_stall(now); }
  const std::string& stall_report() const { return end_of_life_.report(); }
  std::string waiting() const { return report_waiting(components_); }

  // Saves or restores the controller's state (ftl_state.cpp); the controller must be settled.
  void persist(Archive& archive);
  // Saves or restores the state that survives a power loss: the checkpoint of the mapping on flash, the drive's clock,
  // and the lives of the blocks.
  void persist_lasting(Archive& archive) {
    power_loss_.checkpoints.persist(archive);
    clock_.persist(archive);
    mapping_.lives.persist(archive);
  }
  // Saves or restores the counters, including those of earlier power cycles.
  void persist_counters(Archive& archive);
  ControllerCounters counters() const;
  BlockUse block_use() const;
  // Returns the wear of the superblocks that are not retired.
  WearFigures wear() const;
  // Returns a view of all superblocks at the present time.
  BlockView block_view() const;
  const HoldUp& hold_up() const { return hold_up_; }
  // Tracks the pages in the dies' latches, which are not durable yet.
  const WordlineLedger& ledger() const { return writing_.writer.ledger(); }
  // Returns the number of programmed pages in the flash block as recorded by the controller, or nothing if the
  // controller has no such record.
  std::optional<std::uint32_t> programmed_pages(FlashPlane flash_plane, BlockInPlane block_of_plane) const;
  // Returns the mode in which the controller uses the cells of the flash block, or nothing for a retired block.
  std::optional<ProgramMode> cells_of(FlashPlane flash_plane, BlockInPlane block_of_plane) const;

  // Makes each move and each erase use processor time of the firmware. Without this call, they use none.
  void set_firmware(FirmwareStage& firmware);
  // Keeps the mapping in the DRAM from `base` on. Without this call, the drive has no DRAM for it.
  void keep_mapping_in(Dram& dram, std::uint64_t base);
  // The user of the host memory buffer; null if the drive uses none.
  HostBufferUser* host_buffer_user() { return host_mapping_; }
  // Heats the flash, and throttles the drive by its temperature. Called at the end of each sampling period of the
  // power.
  void take_heat(const TemperatureSource::Heat& heat, Tick now);
  const TemperatureSource& temperature() const { return *mapping_.age_facts.temperature; }
  // Limits the power that the drive takes from the supply; see PowerControl.
  void limit_power(double milliwatts);
  PowerCounters power_counters() const { return power_control_.counters(calendar_.now()); }
  // The scheduler. The channels notify it of the protocol phases of its commands.
  FlashScheduler& scheduler() { return reading_.scheduler; }
  // See FlashScheduler::occupied_dies().
  std::vector<Tick> occupied_dies() const { return reading_.scheduler.occupied_dies(); }
  // The content of the flash at the start of the simulation, as the layout places it.
  const InitialFill& initial_fill() const { return mapping_.initial; }
  const FlashLayout& layout() const { return mapping_.layout; }
  const BlockShapes& shapes() const { return mapping_.shapes; }
  // Selects the code of each page; null if all pages use the same code.
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
  PowerControl power_control_;
  ReadingParts reading_;
  GarbageCollector collector_;
  const std::unique_ptr<SlcCache> slc_cache_;  // null if the drive has none
  WritingParts writing_;
  PowerLossParts power_loss_;
  MigrationParts migration_;
  EndOfLife end_of_life_;
  HostFlushes flushes_;
  HostParts host_;
  HostAccesses accesses_;
  JournalClient journal_client_;
  PowerCycle power_cycle_;
  HostMapping* host_mapping_ = nullptr;            // `mapping_memory_` if the mapping is in memory of the host
  std::unique_ptr<MappingMemory> mapping_memory_;  // null if look-ups take no time
  Components components_;
};

}  // namespace nandscape::controller
