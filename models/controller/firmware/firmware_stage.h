// SPDX-License-Identifier: Apache-2.0
// The processor cores that the controller's firmware runs on. Each access takes some of their cycles before it goes on,
// and its completion some before the front end hears of it. The first core to be free does the work that came first:
// C cores at a clock f serve C f / k accesses of k cycles a second, and each is later by k / f. Writes and trims, which
// take different numbers of cycles, go on in the order in which they came where they change the same pages. The flash
// translation layer below charges the cores for what it does of its own accord.
//
// What takes no cycles goes through at once.
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

  // Whether anything takes time.
  bool used() const {
    return (read_cycles | write_cycles | trim_cycles | flush_cycles | completion_cycles | move_cycles | erase_cycles) !=
           0;
  }
  // For which that many cycles occupy all cores, as many jobs at a time as there are.
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

  // Gives the cores work that comes now and returns when it is done; work is charged in the order of `now`.
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
  const std::array<Tick, 7> time_;  // by kind of work
  std::vector<Tick> free_;          // when each core has done what it was given
  std::vector<Trim> trims_;         // that have not gone on yet
  Tick last_write_ = 0;             // when the latest one goes on
  FirmwareCounters counters_;
};

}  // namespace nandscape::controller
