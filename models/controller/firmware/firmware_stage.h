// SPDX-License-Identifier: Apache-2.0
// The processor cores that run the controller's firmware. Each access takes some of their cycles before it proceeds,
// and its completion takes some before the front end is notified. The first core to be free takes the oldest work. If
// each access takes k cycles, C cores at clock f serve C f / k accesses per second and delay each by k / f. Writes and
// trims take different numbers of cycles, but proceed in the order of arrival if they change the same pages. The flash
// translation layer below charges the cores for its background work.
//
// Work that takes no cycles passes through at once.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/calendar.h"
#include "core/parameters.h"
#include "core/statistics.h"
#include "protocol/storage.h"

namespace nandscape::controller {

struct FirmwareParameters {
  std::uint32_t cores = 4;
  double clock_mhz = 1000;
  std::uint32_t read_cycles = 0;
  std::uint32_t write_cycles = 0;
  std::uint32_t trim_cycles = 0;
  std::uint32_t flush_cycles = 0;
  std::uint32_t completion_cycles = 0;
  std::uint32_t move_cycles = 0;
  std::uint32_t erase_cycles = 0;

  // Whether any work takes cycles.
  bool used() const {
    return (read_cycles | write_cycles | trim_cycles | flush_cycles | completion_cycles | move_cycles | erase_cycles) !=
           0;
  }
  // The time that `cycles` take on all cores together, if all are kept busy.
  double seconds(double cycles) const { return cycles / (1e6 * clock_mhz * cores); }
};
void describe(FirmwareParameters& p, ParameterVisitor& v);

enum class FirmwareWork : std::uint8_t { read, write, trim, flush, completion, move, erase };

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

  // Charges the cores for work that arrives at `now`, and returns the time when it is done. `now` must not decrease
  // from call to call.
  Tick charge(FirmwareWork work, Tick now);

  const FirmwareCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  void completed(PageAccess& access, Tick now) override;
  void health_changed(Tick now) override { client_->health_changed(now); }
  void pass_on(PageAccess& access);
  void answer(PageAccess& access);
  Tick in_order(const PageAccess& access, Tick at, Tick now);

  struct Trim {
    Lpn first;
    std::uint64_t pages;
    Tick goes_on;
  };

  StorageDevice& backend_;
  Calendar& calendar_;
  StorageClient* client_ = nullptr;
  const std::array<Tick, 7> time_;  // by FirmwareWork
  std::vector<Tick> free_;          // when each core is free
  std::vector<Trim> trims_;         // trims that have not proceeded yet
  Tick last_write_ = 0;             // when the latest write proceeds
  FirmwareCounters counters_;
};

}  // namespace nandscape::controller
