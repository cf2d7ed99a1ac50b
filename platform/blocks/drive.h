// SPDX-License-Identifier: Apache-2.0
// A drive as a simulation sees it: what the host's front end talks to, its power, what of it lasts, and what it tells.
// FlashDrive (platform/wiring/flash_drive.h) is the built-in one. Whoever brings a controller of their own and wants
// the platform's channels, engines and dies behind it derives from ControllerDrive
// (platform/wiring/controller_drive.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "controller/mapping/start_up.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "core/ids.h"
#include "core/registry.h"
#include "core/statistics.h"
#include "core/ticks.h"
#include "platform/blocks/busy_times.h"
#include "platform/blocks/energy_account.h"
#include "platform/blocks/stock.h"
#include "protocol/nand_command.h"
#include "protocol/storage.h"

namespace nandscape {

// Simulated time, for what a drive does by itself while its host waits or is gone.
class SimulatedTime {
 public:
  virtual Tick now() const = 0;
  // Runs events up to and including `limit`, or until none is left or stop() is called. Throws Interrupted once the
  // simulation is not wanted any more.
  virtual void run(Tick limit) = 0;
  // For an event: ends run() after it.
  virtual void stop() = 0;

 protected:
  ~SimulatedTime() = default;
};

class Drive {
 public:
  virtual ~Drive() = default;

  // What the host's front end talks to.
  virtual StorageDevice& storage() = 0;
  virtual std::uint64_t capacity_bytes() const = 0;

  // --- blocks in it with processes of their own (platform/blocks/block.h)

  // The least of their lookaheads; `never` when there are none.
  virtual Tick lookahead() const { return never; }
  // Whether they have work, and what it is, with their names.
  virtual bool at_work() const { return false; }
  virtual std::string under_way() const { return {}; }
  // Throw RequestError, which names the part, when one cannot tell what of it lasts without power, or what belongs into
  // a checkpoint.
  virtual void check_lasting() const {}
  virtual void check_persistent() const {}

  // --- power

  // The supply fails. Simulated time goes on as long as a capacitor feeds the drive; then, or when that is interrupted,
  // what does not last without the supply is gone. Only persist_lasting() and what the drive tells may be called then.
  virtual void power_cut(SimulatedTime& time) = 0;
  // Brings all that it holds to the media and switches off, as power_cut() does. False when it finds no room for what
  // it has left; interrupted, it is as if it had begun to. Either way the supply can only fail after that.
  virtual bool shut_down(SimulatedTime& time) = 0;
  // Power has come to a drive whose lasting state was read back: it finds its data again.
  virtual void recover(SimulatedTime& time) = 0;

  // --- age

  // Hours pass at that temperature, and stored data age. The drive is switched off, or does not notice.
  virtual void age(double hours, double temperature_c) = 0;
  // Likewise, switched on: at its intervals it looks after its data.
  virtual void age_in_use(double hours, double temperature_c, SimulatedTime& time) = 0;

  // --- work

  // Runs all work to its end, so that nothing is left but what the two below write. False when it finds no room for it.
  virtual bool settle(SimulatedTime& time) = 0;
  // Commands are open, and no event is left that could complete one. Ends them as a real drive would; false when there
  // is nothing to be done.
  virtual bool end_stall(Tick now) = 0;
  // Why commands were ended so; empty when none was.
  virtual std::string stall_report() const = 0;
  // What its queues hold, for messages.
  virtual std::string waiting() const = 0;

  // --- state

  // Writes or reads back what lasts without power, and what was counted.
  virtual void persist_lasting(Archive& archive, Tick now) = 0;
  // Writes or reads back the rest, when settled.
  virtual void persist_settled(Archive& archive) = 0;

  // --- what it tells

  // Its groups of statistics, up to now.
  virtual void describe(StatisticsVisitor& visitor, Tick now) const = 0;
  // How long each of its resources was in use. The kinds and units are the same ones each time.
  virtual void add_busy_times(BusyTimes& times) const = 0;
  virtual void add_energy(EnergyAccount& account) const = 0;
  // What it holds back of the host's writes, the same stocks each time.
  virtual void add_stocks(Stocks&) const {}

  // --- failures to come (nand/die_faults.h)

  // The next operations of a die; all of a block, numbered over the whole device; everything that a die does. Throw
  // RequestError where there is no such die or block.
  virtual void fail_next(DieId die, NandOperation operation, std::uint32_t count) = 0;
  virtual void fail_block(BlockId block) = 0;
  virtual void kill_die(DieId die) = 0;

  // --- what is on the flash, to look at: nothing changes

  // Wordlines of a block that are programmed, the first ones. Throws RequestError where there is no such block.
  virtual std::uint32_t programmed_wordlines(BlockId block) = 0;
  // The threshold voltages of the cells of such a wordline, in mV; none of a wordline that was left half-way. Throws
  // RequestError for one that is not programmed, while its die is at work, and where cells are not modelled one by one.
  virtual std::vector<float> threshold_voltages(BlockId block, std::uint32_t wordline, Tick now) = 0;
};

struct PlatformParameters;
class Timeline;

struct DriveContext {
  const PlatformParameters& parameters;
  Calendar& calendar;
  controller::StartUp start_up;
  Timeline* timeline = nullptr;  // that the drive tells of what happens in it
};

using Drives = Registry<Drive, const DriveContext&>;
// The registry itself is filled where the built-in drive is (platform/wiring/drives.cpp).
Drives& drives();

}  // namespace nandscape
