// SPDX-License-Identifier: Apache-2.0
// The NVMe controller: registers in front, units behind them, and the way from one to the other.
//
// Submission queue doorbell -> fetch unit -> admin or I/O commands -> storage device -> data and completion entry to
// host memory -> interrupt. Register writes arrive after a time on the link; reads never overtake them.
#pragma once

#include <cstdint>
#include <deque>

#include "host/nvme/admin_commands.h"
#include "host/nvme/async_events.h"
#include "host/nvme/controller_parts.h"
#include "host/nvme/fetch_unit.h"
#include "host/nvme/io_commands.h"

namespace nandscape::host {

// For how long work has waited at each limit of host.nvme.
struct NvmeLimits {
  Tick command_slots;       // entries, for a slot
  Tick entry_fetches;       // entries, for a fetch of several
  Tick transfers_to_host;   // data of reads, for one of the data_transfers
  Tick transfers_to_drive;  // data of writes, likewise
};

class NvmeController final : public StorageClient, public DmaClient {
 public:
  // `keep_data`: whether the data of reads and writes are carried, or only their time is spent. Throws ConfigError.
  NvmeController(Calendar& calendar, const NvmeParameters& parameters, StorageDevice& device, DmaPort& port,
                 bool keep_data);

  // Before the first command. The sheets of commands are those of the host's driver.
  void keep_times(CommandTimes& times) { parts_.times = &times; }

  // A doubleword of BAR0 that arrives at `arrival`, now or later. Of a register other than a doorbell, `lanes` are the
  // bits that are written.
  static constexpr std::uint32_t all_lanes = 0xffff'ffff;
  static constexpr bool is_doorbell(std::uint32_t offset) {
    return offset >= nvme::reg::doorbells && offset < nvme::reg::msix_table;
  }
  void write_register(std::uint32_t offset, std::uint32_t value, Tick arrival, std::uint32_t lanes = all_lanes) {
    if (is_doorbell(offset)) [[likely]]
      return write_doorbell(offset, value, arrival);
    post_register_write({offset, value, lanes}, arrival);
  }
  // What a read returns that reaches the controller after all writes before it.
  std::uint32_t read_register(std::uint32_t offset);
  // The same without any effect, for debuggers.
  std::uint32_t peek_register(std::uint32_t offset) const;

  void completed(PageAccess& access, Tick now) override;
  void health_changed(Tick now) override;
  void read_ended(DmaTag tag, bool ok) override;
  void write_ended(DmaTag tag) override;

  // Configuration space has changed what becomes of interrupts.
  void route_interrupts(const InterruptRouting& routing);
  const Interrupts& interrupts() const { return parts_.interrupts; }
  // A function level reset: all registers and the MSI-X table are as after power-on.
  void reset_function();

  // The composite temperature has changed.
  void set_temperature(double celsius);
  NvmeCounters counters() const;
  NvmeLimits times_at_limits() const;

  // The host is gone: commands that are under way go no further, and nothing leaves the controller.
  void host_lost();
  // What outlives a power cycle, and what was counted.
  void persist(Archive& archive, Tick now);

 private:
  struct RegisterWrite {
    std::uint32_t offset;
    std::uint32_t value;
    std::uint32_t lanes;
  };

  void post_register_write(RegisterWrite write, Tick arrival);
  void register_write_arrives(std::uint64_t number);
  void doorbell_arrives(std::uint64_t offset_and_value);
  void write_doorbell(std::uint32_t offset, std::uint32_t value, Tick arrival);
  void apply(RegisterWrite write);
  void configure(std::uint32_t value);
  void enable();
  void disable();
  void reset_ended();
  void reset_registers();
  void reset_subsystem();
  void shut_down();
  void fatal();
  void start(std::uint16_t queue, const nvme::SubmissionEntry& entry);
  void bad_doorbell(std::uint32_t information);
  bool running() const {
    return (cc_ & nvme::cc::enable) != 0 && (csts_ & (nvme::csts::ready | nvme::csts::fatal)) == nvme::csts::ready;
  }

  ControllerParts parts_;
  FetchUnit fetch_;
  AsyncEvents events_;
  AdminCommands admin_;
  IoCommands io_;

  std::uint64_t cap_ = 0;
  std::uint32_t cc_ = 0;
  std::uint32_t csts_ = 0;
  std::uint32_t aqa_ = 0;
  std::uint64_t asq_ = 0;
  std::uint64_t acq_ = 0;

  std::deque<RegisterWrite> underway_;  // doorbells apart
  std::uint64_t first_underway_ = 0;    // number of the first of them
  PageAccess shutdown_flush_;
  bool flushing_ = false;
  bool resetting_ = false;         // CSTS.RDY stays until host memory is left alone
  std::uint32_t reset_probe_ = 0;  // what is read behind the last transfers
  std::uint8_t warned_ = 0;        // bits of the critical warning that the device gave cause for when last looked at
};

}  // namespace nandscape::host
