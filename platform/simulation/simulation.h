// SPDX-License-Identifier: Apache-2.0
// The facade of the library: a simulated SSD with its host. It hides the SystemC kernel and all other classes from the
// bindings and from programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "controller/block_view.h"
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
  std::uint64_t completed = 0;  // number of completed requests
  std::uint64_t expected = 0;   // 0 if unknown
  Tick now = 0;
};

// The period that statistics cover: the measured window, the background work after it, or the whole simulated time.
enum class Window { measured, afterwards, all };
// When a run ends: when its workloads end, or as soon as five rounds are steady (steady_state.h). In the second case,
// these rounds become the measured window.
enum class RunEnd { workloads, steady };

// A callback that is called a few times per second of wall time, between two events. If it returns false, the run ends.
// It may read the running simulation; see ownership.h.
using ProgressCallback = std::function<bool(const Progress&)>;

struct SimulationParts;
class SimulationCall;

// Gives access to the flash of a simulation for one statement. The statement counts as a call of the simulation:
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

// A simulated SSD with its host. A process may have several simulations, and several threads may use them. Each
// simulation executes one call at a time: a call that is made during another call of the same simulation throws
// BusyError. ownership.h lists all rules.
//
// A call that runs simulated time or builds a drive throws Interrupted when cancelled (interruption.h). The simulation
// stays usable afterwards. Commands and workloads continue at the next call, unless the function's comment says
// otherwise.
class Simulation {
 public:
  // Builds the platform, preconditions the device and opens the workloads. A workload of kind `requests` replays one of
  // `supplies`; its key `source` is the name of this supply. Throws ConfigError for an invalid configuration, and
  // InputError for a trace that cannot be read and for requests beyond the capacity.
  explicit Simulation(Configuration configuration, host::RequestSupplies supplies = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const Configuration& configuration() const;
  std::uint64_t capacity_bytes() const;
  Tick now() const;

  // Runs the configured workloads until they end or, depending on `end`, until they are steady. Returns false if the
  // callback ended the run. Throws InputError for a bad trace record, RequestError for an address beyond the capacity,
  // and ConfigError if simulation.steady.figure is not a statistic of the drive. An exception of user code that
  // generates requests ends the workload with these requests, and is rethrown.
  bool run(const ProgressCallback& progress = {}, RunEnd end = RunEnd::workloads);
  // Starts the configured workloads at the current time and returns at once. They proceed while simulated time runs.
  void start_workloads();
  // Runs simulated time until `limit`. Throws RequestError if `limit` exceeds 2^63 ps (106 days).
  void run_until(Tick limit);
  // Returns whether the configured workloads have been started and have not ended yet.
  bool workloads_under_way() const;

  // These functions put one command into the driver's queue at the current time and return at once. The command
  // proceeds while simulated time runs, concurrently with earlier commands and in no defined order. A sector has 512
  // bytes. They throw RequestError if the size is not a whole number of sectors, or if the range exceeds the capacity.
  // A write with force_unit_access completes only when its data are on flash.
  CommandHandle start_read(std::uint64_t lba, std::uint64_t bytes);
  CommandHandle start_write(std::uint64_t lba, std::vector<std::byte> data, bool force_unit_access = false);
  CommandHandle start_trim(std::uint64_t lba, std::uint64_t sectors);
  CommandHandle start_flush();

  // Runs simulated time until the command has completed, and returns the latency of the command. Throws RequestError if
  // the command has failed or belongs to another simulation.
  Tick wait(const CommandHandle& command);
  // Runs simulated time until all started commands have completed, with or without errors.
  void wait_all();
  // Runs simulated time until one of the started commands has completed or all workloads have ended, but no longer than
  // until `limit`. If `limit` is `never`, returns at once if no command is in flight and no workload is running.
  void wait_any(Tick limit);

  // These functions start a command and wait for its completion. They return its latency.
  Tick read(std::uint64_t lba, std::span<std::byte> data);
  Tick write(std::uint64_t lba, std::span<const std::byte> data, bool force_unit_access = false);
  Tick trim(std::uint64_t lba, std::uint64_t sectors);
  Tick flush();

  // Returns the fields of Identify that concern the durability of writes: VWC, AWUN, AWUPF and DLFEAT.
  Value identify();
  // Reads the SMART log with the command Get Log Page, which is sent through the admin queue. Simulated time runs until
  // the log arrives. The names of the returned values contain their units. A data unit is a thousand sectors of 512
  // bytes.
  Value smart_log();
  // These functions send the commands Get Features and Set Features through the admin queue, for the features Power
  // Management and Autonomous Power State Transition. Simulated time runs until the command has completed; a change of
  // state then goes on. power_state() returns the number of the present state. set_power_state() asks for a state,
  // which a non-operational one becomes when no I/O command is outstanding. set_power_transitions() replaces all
  // autonomous transitions: each leads from a state to a non-operational one with a higher number after some idle time.
  // They last until the controller is reset. Throw RequestError if the drive refuses the command.
  std::uint32_t power_state();
  // Returns the power states that Identify describes, with the state number as index. 0 mW: not reported.
  Value power_states();
  void set_power_state(std::uint32_t state);
  struct PowerTransition {
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t idle_ms;
  };
  void set_power_transitions(std::span<const PowerTransition> transitions);
  // Resets the NVMe controller. Open commands end as aborted, and the driver brings up the controller again. Simulated
  // time runs until the controller is ready. The data of writes that had reached the device are not lost.
  void reset();

  // Lets the power supply fail at the current time. Open commands and workloads end with RequestStatus::power_lost, and
  // the workloads do not resume. With a capacitor (controller.power_loss), simulated time continues until the drive has
  // written the acknowledged data, but for at most hold_up_ms. An interruption ends this hold-up, and the drive is off.
  // Until power_on() is called, all functions that need the drive throw RequestError.
  void power_cut();
  // Shuts down the drive: waits until all data are on flash, and then switches the drive off. Throws RequestError if
  // commands or workloads are in progress. An interruption turns the shutdown into a power cut. If the flash of a drive
  // with many failed blocks has no room for the remaining data, throws Error; the drive is then off, as after a power
  // cut.
  void shut_down();
  // Switches the drive on. Simulated time runs until the drive has recovered its data and the driver has brought up the
  // controller. If the call is interrupted, the drive stays off.
  void power_on();
  bool has_power() const;

  // Ages stored data by `hours` at the temperature `temperature_c`. Simulated time advances only by the duration of the
  // work that the drive does during these hours. With `powered`, the drive checks and refreshes its data at its
  // intervals (controller.refresh); otherwise it does not react. If the call is interrupted, only a part of the hours
  // has passed. Throws RequestError if commands or workloads are in progress, if `powered` is set for a drive without
  // power, if `hours` exceeds 100 years, or if the temperature is outside -40 to 125 degrees Celsius.
  void advance(double hours, double temperature_c, bool powered);

  // Writes the configuration and the state of the simulation to a file. Before that, the drive completes all its work:
  // it writes back its caches, fills incomplete wordlines, and ends background work. Afterwards, the simulation
  // continues from the saved state as a restored simulation does, so both behave identically. The configured workloads
  // can then be run again. Throws RequestError if commands or workloads are in progress, if the drive has no power, and
  // for policy objects, which a file cannot hold. Throws ConfigError if the calling program supplies requests, and
  // InputError if the file cannot be written. An interrupted call does not write a file. If the flash of a drive with
  // many failed blocks has no room for the remaining data, throws Error; the drive is then off, as after a power cut.
  void checkpoint(const std::string& path);
  // Returns a simulation that continues from a file that checkpoint() has written. Workloads, host and policies may
  // differ from those in the checkpoint. Throws ConfigError for any other key that differs, and for a plug-in that the
  // file names and that is not allowed. Throws InputError for a file that is damaged or not a checkpoint.
  static Simulation restore(const std::string& path, const std::vector<Override>& overrides = {},
                            const VariantObjects& objects = {}, host::RequestSupplies supplies = {},
                            bool allow_plugins = false);
  // Returns a simulation that continues from the state in such a file, with the configuration of that file. `where`
  // names the origin of the state in messages. Throws InputError for invalid bytes.
  static Simulation restore(Configuration configuration, std::span<const std::byte> state,
                            const std::string& where = "state", host::RequestSupplies supplies = {});

  // Returns an object that injects failures into the flash and inspects its cells (media_probe.h). Throws RequestError
  // if the drive has no power.
  MediaAccess media();

  // Returns the statistics of a window as a nested tree, with units in the names. The measured window begins when the
  // workloads begin, or at the end of their warm-up (simulation.warmup), and ends with their last completion. It is
  // open while the workloads run, and is opened again by later commands. Without workloads, it is open from
  // construction.
  Value statistics(Window window = Window::measured) const;
  // Returns whether the measured window shows a steady state.
  Steadiness steadiness() const;
  // Returns the meaning and the unit of each statistic; see StatisticsReference. Throws RequestError if the drive has
  // no power.
  Value statistics_reference() const;
  // Returns a view of all superblocks at the present time. Throws RequestError if the drive has no power, and if it is
  // not the built-in drive.
  controller::BlockView blocks() const;
  // Returns a copy of the log of completed requests.
  RequestLog requests() const;
  // Returns the hierarchy of SystemC objects, with the name, the kind and the children of each object.
  Value hierarchy() const;

 private:
  friend class GuestSession;

  explicit Simulation(std::shared_ptr<SimulationParts> parts);

  std::shared_ptr<SimulationParts> parts_;  // shared with a running call
};

}  // namespace nandscape
