// SPDX-License-Identifier: Apache-2.0
// The facade: a simulated SSD with its host. It hides the SystemC kernel and everything else from bindings and
// programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/ticks.h"
#include "core/value.h"
#include "host/workloads/given/request_supply.h"
#include "platform/blocks/media_probe.h"
#include "platform/config/configuration.h"
#include "platform/simulation/host_command.h"
#include "platform/simulation/request_log.h"
#include "platform/simulation/steadiness.h"

namespace nandscape {

struct Progress {
  std::uint64_t completed = 0;  // requests
  std::uint64_t expected = 0;   // 0 if unknown
  Tick now = 0;
};

// The time that statistics cover: the measured window, the background work after it, or all simulated time.
enum class Window { measured, afterwards, all };
// When a run ends: with its workloads, or as soon as five rounds are steady (steady_state.h), which become its window.
enum class RunEnd { workloads, steady };

// Called a few times per second of wall time, between two events; returning false ends the run. It may read the running
// simulation; see ownership.h.
using ProgressCallback = std::function<bool(const Progress&)>;

struct SimulationParts;
class SimulationCall;

// Access to the flash of a simulation for one statement, which counts as a call of the simulation:
//
//   simulation.media()->fail_block(BlockId(3));
class MediaAccess {
 public:
  ~MediaAccess();
  MediaProbe* operator->() const { return probe_; }

 private:
  friend class Simulation;
  explicit MediaAccess(const std::shared_ptr<SimulationParts>& simulation);

  const std::unique_ptr<SimulationCall> call_;
  MediaProbe* probe_ = nullptr;
};

// A process may have several simulations, used by several threads. Each simulation takes one call at a time: a call
// during another call of the same simulation throws BusyError. ownership.h lists all rules.
//
// A call that runs simulated time or builds a drive throws Interrupted when cancelled (interruption.h). The simulation
// stays usable: commands and workloads continue at the next call, unless documented otherwise.
class Simulation {
 public:
  // Builds the platform, preconditions the device and opens the workloads. A workload of kind `requests` replays the
  // supply whose name in `supplies` is the workload's `source`. Throws ConfigError, and InputError for an unreadable
  // trace and for requests past the capacity.
  explicit Simulation(Configuration configuration, host::RequestSupplies supplies = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const Configuration& configuration() const;
  std::uint64_t capacity_bytes() const;
  Tick now() const;

  // Runs the configured workloads to their end, or until they are steady. Returns false if the callback ended the run.
  // Throws InputError for a bad trace record, RequestError for an address past the capacity, and ConfigError if
  // simulation.steady.figure is not a statistic of the drive. Rethrows an exception of user code that generates
  // requests; the workload with these requests has then ended.
  bool run(const ProgressCallback& progress = {}, RunEnd end = RunEnd::workloads);
  // Starts the configured workloads at the current time and returns. They proceed while simulated time runs.
  void start_workloads();
  // Runs until simulated time `limit`. Throws RequestError if `limit` exceeds 2^63 ps (106 days).
  void run_until(Tick limit);
  // Whether the configured workloads have been started and have not ended.
  bool workloads_under_way() const;

  // Put one command into the driver's queue at the current time and return. The command proceeds while simulated time
  // runs, concurrently with earlier commands and not ordered after them. A sector has 512 bytes. Throw RequestError if
  // the size is not a whole number of sectors or the range exceeds the capacity. A write with force_unit_access
  // completes only when its data are on flash.
  CommandHandle start_read(std::uint64_t lba, std::uint64_t bytes);
  CommandHandle start_write(std::uint64_t lba, std::vector<std::byte> data, bool force_unit_access = false);
  CommandHandle start_trim(std::uint64_t lba, std::uint64_t sectors);
  CommandHandle start_flush();

  // Runs simulated time until the command is done and returns its latency. Throws RequestError if the command failed or
  // belongs to another simulation.
  Tick wait(const CommandHandle& command);
  // Runs simulated time until all started commands are done, with or without errors.
  void wait_all();
  // Runs simulated time until one of the started commands is done or all workloads have ended, but at most until
  // `limit`. If `limit` is `never`, returns at once if no command is in flight and no workload is running.
  void wait_any(Tick limit);

  // Start a command and wait for it.
  Tick read(std::uint64_t lba, std::span<std::byte> data);
  Tick write(std::uint64_t lba, std::span<const std::byte> data, bool force_unit_access = false);
  Tick trim(std::uint64_t lba, std::uint64_t sectors);
  Tick flush();

  // The Identify fields about the durability of writes: VWC, AWUN, AWUPF and DLFEAT.
  Value identify();
  // The SMART log, read by Get Log Page through the admin queue. Simulated time runs until it arrives. The names
  // include the units; a data unit is a thousand sectors of 512 bytes.
  Value smart_log();
  // Resets the NVMe controller: open commands end as aborted, and the driver brings up the controller again. Simulated
  // time runs until it is ready. Writes that had reached the device remain.
  void reset();

  // The supply fails at the current time. Open commands and workloads end with RequestStatus::power_lost; the workloads
  // do not resume. With a capacitor (controller.power_loss), simulated time continues until the drive has written the
  // acknowledged data, for at most hold_up_ms. An interruption ends the hold-up, and the drive is off. Until
  // power_on(), all functions that need the drive throw RequestError.
  void power_cut();
  // Shuts down the drive: waits until all data are on flash, and switches it off. Throws RequestError while commands or
  // workloads are under way. An interruption turns the shutdown into a power cut. If a failed drive has no room on
  // flash for the remaining data, the shutdown throws Error and ends as a power cut, too.
  void shut_down();
  // Switches the drive on. Simulated time runs until the drive has recovered its data and the driver has brought it up.
  // If interrupted, the drive stays off.
  void power_on();
  bool has_power() const;

  // Ages stored data by `hours` at the temperature `temperature_c`. Simulated time advances only by the work that the
  // drive does during these hours. With `powered`, the drive checks and refreshes its data at its intervals
  // (controller.refresh); otherwise it does not react. If the call is interrupted, only part of the hours has passed.
  // Throws RequestError while commands or workloads are under way, if `powered` is set for a drive without power, if
  // `hours` exceeds 100 years, or if the temperature is outside -40 to 125 degrees Celsius.
  void advance(double hours, double temperature_c, bool powered);

  // Writes the configuration and the state of the simulation to a file. Before that, the drive completes all its work:
  // it writes back its caches, fills wordlines, and ends background work. Then the simulation continues from the saved
  // state like a restored one, so both behave identically; the configured workloads can be run (again). Throws
  // RequestError while commands or workloads are under way, without power, and for policy objects, which a file cannot
  // hold. Throws ConfigError if the calling program supplies requests, and InputError if the file cannot be written. An
  // interrupted call writes no file. If the flash of a failed drive has no room for the remaining data, throws Error
  // and the drive is off, as after a power cut.
  void checkpoint(const std::string& path);
  // Continues from a file. Workloads, host and policies may differ from those of the checkpoint. Throws ConfigError for
  // any other key that differs and for a plug-in of the file that is not allowed, and InputError for a file that is
  // damaged or not a checkpoint.
  static Simulation restore(const std::string& path, const std::vector<Override>& overrides = {},
                            const VariantObjects& objects = {}, host::RequestSupplies supplies = {},
                            bool allow_plugins = false);
  // Continues from the state in such a file, with its configuration; `where` names the state in messages. Throws
  // InputError for invalid bytes.
  static Simulation restore(Configuration configuration, std::span<const std::byte> state,
                            const std::string& where = "state", host::RequestSupplies supplies = {});

  // Injects failures into the flash, and inspects its cells: media_probe.h. Throws RequestError without power.
  MediaAccess media();

  // Returns the nested statistics of a window, with units in the names. The measured window begins with the workloads,
  // or at the end of their warm-up (simulation.warmup), and ends with their last completion. It is open while they run,
  // and again after later commands. Without workloads, it is open from construction.
  Value statistics(Window window = Window::measured) const;
  // Whether the measured window shows a steady state.
  Steadiness steadiness() const;
  // The meaning and unit of each statistic; see StatisticsReference. Throws RequestError without power.
  Value statistics_reference() const;
  // A copy of the log of completed requests.
  RequestLog requests() const;
  // The wired hierarchy: name, kind and children of each SystemC object.
  Value hierarchy() const;

 private:
  explicit Simulation(std::shared_ptr<SimulationParts> parts);

  std::shared_ptr<SimulationParts> parts_;  // shared with a running call
};

}  // namespace nandscape
