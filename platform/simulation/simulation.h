// SPDX-License-Identifier: Apache-2.0
// The facade: one simulated SSD with its host. It hides the kernel; bindings and programs see nothing below it.
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
#include "platform/config/configuration.h"
#include "platform/simulation/host_command.h"
#include "platform/simulation/request_log.h"
#include "platform/simulation/steadiness.h"
#include "protocol/nand_command.h"

namespace nandscape {

struct Progress {
  std::uint64_t completed = 0;  // requests
  std::uint64_t expected = 0;   // 0 when not known
  Tick now = 0;
};

// What figures are of: the measured window; what the drive does of its own accord after that; all simulated time.
enum class Window { measured, afterwards, all };
// When a run ends: with its workloads, or as soon as five rounds are steady (steady_state.h), which is its window then.
enum class RunEnd { workloads, steady };

// Called a few times per second of wall time, between two events; returning false ends the run. Of the simulation that
// runs it may ask for what it tells about itself; see ownership.h.
using ProgressCallback = std::function<bool(const Progress&)>;

// Several simulations may live in one process, and be used by several threads: one call at a time each. A call while
// another one of the same simulation is under way throws BusyError; ownership.h tells all rules.
//
// A call that runs simulated time or builds a drive throws Interrupted once it is not wanted any more (interruption.h).
// The simulation can be used on: what was under way still is, unless the call says otherwise.
class Simulation {
 public:
  // Builds the platform, preconditions the device and opens the workloads; those of kind `requests` play what
  // `supplies` has under their `source`. Throws ConfigError, and InputError on a trace that cannot be read and on
  // requests past the capacity.
  explicit Simulation(Configuration configuration, host::RequestSupplies supplies = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const Configuration& configuration() const;
  std::uint64_t capacity_bytes() const;
  Tick now() const;

  // Runs the configured workloads to their end, or until they are steady; false when the callback ended it early.
  // Throws InputError on a bad trace record, RequestError on an address past the capacity, ConfigError where
  // simulation.steady.figure is no statistic of the drive, and what code of the user throws that makes requests: its
  // workload is at its end then.
  bool run(const ProgressCallback& progress = {}, RunEnd end = RunEnd::workloads);
  // Starts them, now, and returns: they proceed while simulated time runs.
  void start_workloads();
  // Runs until simulated time `limit`. Throws RequestError past 2^63 ps, which is 106 days.
  void run_until(Tick limit);
  // Whether the configured workloads have been started and have not come to their end.
  bool workloads_under_way() const;

  // Put one command into the driver's queue, now, and return; it proceeds while simulated time runs, beside the ones
  // before it and in no order with them. An LBA is 512 bytes. Sizes are whole sectors; throw RequestError otherwise,
  // and past the capacity. A write with force_unit_access completes only when it is on flash.
  CommandHandle start_read(std::uint64_t lba, std::uint64_t bytes);
  CommandHandle start_write(std::uint64_t lba, std::vector<std::byte> data, bool force_unit_access = false);
  CommandHandle start_trim(std::uint64_t lba, std::uint64_t sectors);
  CommandHandle start_flush();

  // Runs simulated time until the command is done and returns its latency. Throws RequestError unless it ended well,
  // and for a command of another simulation.
  Tick wait(const CommandHandle& command);
  // Runs simulated time until all started commands are done, however they end.
  void wait_all();
  // Runs simulated time until one of the started commands is done, or the last of the workloads, but at most until
  // `limit`, and not at all when none is under way and there is no limit (`never`).
  void wait_any(Tick limit);

  // The same in one step: start a command and wait for it.
  Tick read(std::uint64_t lba, std::span<std::byte> data);
  Tick write(std::uint64_t lba, std::span<const std::byte> data, bool force_unit_access = false);
  Tick trim(std::uint64_t lba, std::uint64_t sectors);
  Tick flush();

  // What Identify says of the writes that outlive the power: VWC, AWUN, AWUPF and DLFEAT.
  Value identify();
  // What the drive says about its health: Get Log Page of the SMART log, through the admin queue; simulated time runs
  // until it is there. Names say the units; a data unit is a thousand sectors of 512 bytes.
  Value smart_log();
  // Resets the NVMe controller under whatever is under way: started commands end as aborted, and the driver brings the
  // controller up again. Simulated time runs until it is ready. What writes had reached the device stays.
  void reset();

  // The supply fails, at this instant. Commands and workloads that are under way end with RequestStatus::power_lost;
  // the workloads are not taken up again. With a capacitor (controller.power_loss) simulated time goes on until the
  // drive has written what it had answered for, at most for hold_up_ms; what interrupts that ends it, and the drive is
  // off. Until power_on() commands throw RequestError, and so does all else that needs the drive.
  void power_cut();
  // Tells the drive to shut down, waits until everything is on flash, and switches it off. Throws RequestError while
  // commands or workloads are under way. Interrupted, it ends as a power cut; likewise, with an Error, where a drive
  // that has failed finds no room for what it has left.
  void shut_down();
  // Simulated time runs until the drive has found its data again and the driver has brought it up. Interrupted, the
  // drive is without power as before.
  void power_on();
  bool has_power() const;

  // So many hours pass at that temperature, and stored data age; simulated time does not move by them, but by what the
  // drive does meanwhile. With `powered`, it looks after its data at its intervals (controller.refresh); without, it
  // does not know that time has passed. Interrupted, a part of the hours has passed. Throws RequestError while commands
  // or workloads are under way, when a drive without power is to be powered, for more than 100 years, and outside of
  // -40 to 125 degrees.
  void advance(double hours, double temperature_c, bool powered);

  // Writes the configuration and all that the simulation is to a file. The drive comes to rest before: caches are
  // written back, wordlines are filled up, background work is run to its end. Then it goes on from that state as a
  // restored one does, so that from there on both are the same; the configured workloads can be run (again). Throws
  // RequestError while commands or workloads are under way or the power is off, and InputError when the file cannot be
  // written, for an object in the place of a variant, and for requests that the program gives, neither of which a file
  // holds. Interrupted, there is no file. A drive that has failed may find no room for what it has left: it is off
  // then, as after a power cut, and an Error says so.
  void checkpoint(const std::string& path);
  // Goes on from a file. Workloads, host and policies may be other ones than at the time of the checkpoint; ConfigError
  // names a key that may not, or a plug-in of the file that is not allowed. Throws InputError on a file that is no
  // checkpoint or is damaged.
  static Simulation restore(const std::string& path, const std::vector<Override>& overrides = {},
                            const VariantObjects& objects = {}, host::RequestSupplies supplies = {},
                            bool allow_plugins = false);
  // Likewise from the state that such a file holds, for that configuration; `where` names it in messages. It may be any
  // bytes: throws InputError unless a simulation goes on from them.
  static Simulation restore(Configuration configuration, std::span<const std::byte> state,
                            const std::string& where = "state", host::RequestSupplies supplies = {});

  // Failures to come; see nand/die_faults.h. The next programs or erases of a die; all programs and erases of a block,
  // numbered over the whole device; everything that a die does. Throw RequestError where there is no such die or block.
  void fail_next(std::uint32_t die, NandOperation operation, std::uint32_t count);
  void fail_block(std::uint32_t block);
  void kill_die(std::uint32_t die);

  // How many wordlines of a block are programmed, the first ones, and the threshold voltages of the cells of one of
  // them, in mV, as a read now would find them. Nothing changes. Throw RequestError where there is no such block or
  // wordline, while its die is at work, and where cells are not modelled one by one (simulation.cells: per_cell). A
  // wordline that was left half-way has no voltages to tell.
  std::uint32_t programmed_wordlines(std::uint32_t block);
  std::vector<float> threshold_voltages(std::uint32_t block, std::uint32_t wordline);

  // Statistics of a window, nested, with units in the names. The measured window begins with the workloads, or when
  // their warm-up has ended (simulation.warmup), and ends with their last completion. It is open while they are under
  // way, without them since the construction, and again when more is asked of the drive after their end.
  Value statistics(Window window = Window::measured) const;
  // Whether the measured window shows a steady state.
  Steadiness steadiness() const;
  // What each of them is, with its unit; see StatisticsReference. Throws RequestError without power.
  Value statistics_reference() const;
  // A copy, which further running does not touch.
  RequestLog requests() const;
  // The wired hierarchy: name, kind and children of each SystemC object.
  Value hierarchy() const;

 private:
  class Implementation;
  explicit Simulation(std::shared_ptr<Implementation> implementation);

  template <class... Arguments>
  static std::shared_ptr<Implementation> make(Arguments&&... arguments);
  template <class Body>
  auto call(Body body);
  template <class Body>
  auto reading(Body body) const;

  std::shared_ptr<Implementation> implementation_;  // shared with a call that is under way
};

}  // namespace nandscape
