// SPDX-License-Identifier: Apache-2.0
// The interface of a drive to the simulation: storage for the front end, power, persistent state, and statistics. Ssd
// (platform/wiring/ssd.h) is the built-in implementation. To put another controller in front of the platform's
// channels, engines and dies, derive from ControllerDrive (platform/wiring/controller_drive.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "controller/block_view.h"
#include "controller/mapping/power_state.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "core/registry.h"
#include "core/statistics.h"
#include "core/temperature_source.h"
#include "core/ticks.h"
#include "platform/blocks/busy_times.h"
#include "platform/blocks/energy_account.h"
#include "platform/blocks/media_probe.h"
#include "platform/blocks/stock.h"
#include "protocol/host_buffer.h"
#include "protocol/power_limit.h"
#include "protocol/storage.h"

namespace nandscape {

// Lets a drive run simulated time by itself while its host waits or is disconnected.
class SimulatedTime {
 public:
  virtual Tick now() const = 0;
  // Runs all events up to and including the time `limit`. Returns earlier if no event is left or if stop() is called.
  // Throws Interrupted when the simulation is cancelled.
  virtual void run(Tick limit) = 0;
  // Called by an event. run() returns after this event.
  virtual void stop() = 0;

 protected:
  ~SimulatedTime() = default;
};

class Drive {
 public:
  virtual ~Drive() = default;

  // Returns the storage that the front end accesses.
  virtual StorageDevice& storage() = 0;
  virtual std::uint64_t capacity_bytes() const = 0;
  // Returns the part of the drive that uses a host memory buffer, or null if the drive wants none.
  virtual HostBufferUser* host_buffer_user() { return nullptr; }

  // --- blocks with SystemC processes (platform/blocks/block.h)

  // Returns the smallest lookahead of these blocks, or `never` if there are none.
  virtual Tick lookahead() const { return never; }
  // Return whether these blocks have work, and a description of the work with the names of the blocks.
  virtual bool at_work() const { return false; }
  virtual std::string under_way() const { return {}; }
  // Throw a RequestError that names the block if a block cannot save its non-volatile state (check_lasting()) or its
  // complete state (check_persistent()).
  virtual void check_lasting() const {}
  virtual void check_persistent() const {}

  // --- power

  // Called when the supply fails. Runs simulated time while a capacitor feeds the drive. Then, or if the run is
  // interrupted, all volatile state is lost. Afterwards only persist_lasting() and the functions for statistics may be
  // called.
  virtual void power_cut(SimulatedTime& time) = 0;
  // Writes all data that the drive still holds to the media, and switches the drive off as power_cut() does. Returns
  // false if the flash has no room for these data. After a failed or interrupted shutdown, only power_cut() may be
  // called.
  virtual bool shut_down(SimulatedTime& time) = 0;
  // Performs the recovery at power-on, in which the drive finds its stored data again. Call it after persist_lasting()
  // has restored the non-volatile state.
  virtual void recover(SimulatedTime& time) = 0;

  // --- age

  // Ages stored data by `hours` at that temperature, while the drive is switched off or does not react.
  virtual void age(double hours, double temperature_c) = 0;
  // Ages stored data as age() does, with the drive switched on. The drive checks and refreshes its data at its
  // configured intervals.
  virtual void age_in_use(double hours, double temperature_c, SimulatedTime& time) = 0;

  // --- work

  // Completes all work, so that persist_lasting() and persist_settled() save the complete state. Returns false if the
  // flash has no room for data that must be written.
  virtual bool settle(SimulatedTime& time) = 0;
  // Called when commands are outstanding and no event is left that could complete them. Completes them with an error,
  // as a real drive would. Returns false if no command is outstanding.
  virtual bool end_stall(Tick now) = 0;
  // Returns the reason why end_stall() has ended commands. The string is empty if it has ended none.
  virtual std::string stall_report() const = 0;
  // Returns a description of the contents of the drive's queues, for messages.
  virtual std::string waiting() const = 0;

  // --- state

  // Saves or restores the non-volatile state and the counters.
  virtual void persist_lasting(Archive& archive, Tick now) = 0;
  // Saves or restores the state of a settled drive that persist_lasting() does not cover.
  virtual void persist_settled(Archive& archive) = 0;

  // --- statistics

  // Reports the groups of statistics of the drive, counted up to the time `now`.
  virtual void describe(StatisticsVisitor& visitor, Tick now) const = 0;
  // Adds the time for which each resource of the drive was in use. Every call adds the same kinds and units.
  virtual void add_busy_times(BusyTimes& times) const = 0;
  virtual void add_energy(EnergyAccount& account) const = 0;
  // Returns the energy of the flash arrays that add_energy() has added, but that operations will draw only after the
  // present time.
  virtual double array_joules_ahead() const { return 0; }
  // Returns a view of the blocks, or nothing if the platform does not know the controller.
  virtual std::optional<controller::BlockView> blocks() const { return std::nullopt; }
  // Adds the drive's backlogs of host writes (stock.h). Every call adds the same stocks.
  virtual void add_stocks(Stocks&) const {}

  // --- power states

  // Returns the part of the drive that keeps its power below a limit, or null if it has none.
  virtual PowerLimit* power_limit() { return nullptr; }

  // --- heat

  // Returns the temperature of the flash, or null if the platform does not know it.
  virtual const TemperatureSource* temperature() const { return nullptr; }
  // Called at the end of each sampling period of the power, with the energy that became heat in it. The temperature and
  // the throttling of the drive follow.
  virtual void take_heat(const TemperatureSource::Heat& /*heat*/, Tick /*now*/) {}

  // --- flash

  // Returns the object that injects failures into the flash and inspects its cells.
  virtual MediaProbe& media() = 0;
};

struct PlatformParameters;
class Timeline;

struct DriveContext {
  const PlatformParameters& parameters;  // must outlive the drive
  Calendar& calendar;
  controller::StartUp start_up = controller::StartUp::as_preconditioned;
  Timeline* timeline = nullptr;  // records the drive's operations; null if nothing is recorded
};

using Drives = Registry<Drive, const DriveContext&>;
// Defined beside the built-in drive (platform/wiring/drives.cpp).
Drives& drives();

}  // namespace nandscape
