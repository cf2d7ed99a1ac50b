// SPDX-License-Identifier: Apache-2.0
// The processor cores that run the firmware of the controller, and the latency of a command in its hardware. A core
// spends a number of cycles on each host command, a number of cycles on each access of the command before the access is
// passed on, and a number of cycles on its completion before the front end is notified. The cycles of a command are
// spent together with those of its first access. The core that is free first executes the oldest work. If a command
// needs k1 cycles and each of its n accesses needs k2 cycles, C cores with the clock frequency f serve at most
// C f / (k1 + n k2) commands per second.
//
// Each access also passes hardware that occupies no core, such as DMA engines and pipelines between stages. This
// hardware serves any number of accesses at the same time and delays each by the same latency. All accesses of a
// command pass it side by side, so it delays the command once. It does not delay an access that has waited for an
// earlier access of the same command.
//
// Accesses of one kind are passed on in their order of arrival. So no access overtakes the first access of its command.
// Writes and trims need different times, but writes and trims of the same pages are passed on in this order, too. The
// flash translation layer below this stage also charges the cores for its background work.
//
// An access that needs neither cycles nor latency is passed on at once.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/calendar.h"
#include "core/earliest_times.h"
#include "core/parameters.h"
#include "core/statistics.h"
#include "protocol/storage.h"

namespace nandscape::controller {

struct FirmwareParameters {
  std::uint32_t cores = 4;
  double clock_mhz = 1000;
  std::uint32_t command_cycles = 0;
  double command_latency_us = 0;
  double read_latency_us = 0;
  std::uint32_t read_cycles = 0;
  std::uint32_t write_cycles = 0;
  std::uint32_t trim_cycles = 0;
  std::uint32_t flush_cycles = 0;
  std::uint32_t completion_cycles = 0;
  std::uint32_t move_cycles = 0;
  std::uint32_t erase_cycles = 0;

  // Returns whether any kind of work needs cycles.
  bool takes_cycles() const {
    return (command_cycles | read_cycles | write_cycles | trim_cycles | flush_cycles | completion_cycles | move_cycles |
            erase_cycles) != 0;
  }
  // Returns whether a command has a latency that occupies no core.
  bool has_latency() const { return command_latency_us > 0 || read_latency_us > 0; }
  bool used() const { return takes_cycles() || has_latency(); }
  // Returns the time that `cycles` cycles need if all cores share them evenly, in seconds.
  double seconds(double cycles) const { return cycles / (1e6 * clock_mhz * cores); }
};
void describe(FirmwareParameters& p, ParameterVisitor& v);

enum class FirmwareWork : std::uint8_t { read, write, trim, flush, completion, move, erase, command };

struct FirmwareCounters {
  std::uint64_t jobs = 0;
  std::uint64_t waits = 0;
  Tick busy = 0;
  Tick waited = 0;
};
void describe(const FirmwareCounters& counters, StatisticsVisitor& visitor);

class FirmwareStage final : public StorageDevice, private StorageClient {
 public:
  FirmwareStage(const FirmwareParameters& parameters, StorageDevice& backend, Calendar& calendar);

  void set_client(StorageClient& client) override { client_ = &client; }
  void submit(PageAccess& access, Tick now) override;
  std::uint64_t logical_pages() const override { return backend_.logical_pages(); }
  std::uint32_t page_bytes() const override { return backend_.page_bytes(); }
  std::uint64_t save_room() const override { return backend_.save_room(); }
  bool read_only() const override { return backend_.read_only(); }
  DeviceHealth health() const override { return backend_.health(); }

  // Charges the cores with work that arrives at `now`. Returns the time at which the work is done. `now` must not be
  // lower than in the previous call.
  Tick charge(FirmwareWork work, Tick now);

  const FirmwareCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  void completed(PageAccess& access, Tick now) override;
  void health_changed(Tick now) override { client_->health_changed(now); }
  void background_work(bool under_way, Tick now) override { client_->background_work(under_way, now); }
  void pass_on(PageAccess& access);
  void answer(PageAccess& access);
  Tick time(FirmwareWork work) const { return time_[static_cast<std::size_t>(work)]; }
  // Occupies the core that is free first for `time`, from `now` at the earliest. Returns the end of this time.
  Tick occupy_core(Tick time, Tick now);
  // Returns the time at which the cores and the hardware have finished an access that arrives at `now`.
  Tick prepared(const PageAccess& access, Tick now);
  Tick in_order(const PageAccess& access, Tick at, Tick now);

  struct Trim {
    Lpn first;
    std::uint64_t pages;
    Tick goes_on;
  };

  StorageDevice& backend_;
  Calendar& calendar_;
  StorageClient* client_ = nullptr;
  const std::array<Tick, 8> time_;  // time of each kind of FirmwareWork
  const Tick command_latency_;      // of each command, in hardware
  const Tick read_latency_;         // of a read, in addition to `command_latency_`
  const bool by_command_;           // commands need cycles or have a latency
  EarliestTimes free_;              // for each core, the time from which it is free
  std::vector<Trim> trims_;         // trims that have not been passed on yet
  Tick last_write_ = 0;             // the time at which the latest write is passed on
  std::array<Tick, 4> prepared_{};  // for each AccessKind, the time at which the latest access is prepared
  FirmwareCounters counters_;
};

}  // namespace nandscape::controller
