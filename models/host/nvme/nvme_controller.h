// SPDX-License-Identifier: Apache-2.0
// The NVMe controller: its registers, and the units that process commands.
//
// A command takes the following path:
//
//   submission queue doorbell -> fetch unit -> admin commands or command set -> storage device
//     -> data and completion entry to host memory -> interrupt
//
// Register writes arrive after the delay of the link. A register read never overtakes an earlier write.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "host/nvme/admin_commands.h"
#include "host/nvme/async_events.h"
#include "host/nvme/command_set.h"
#include "host/nvme/controller_parts.h"
#include "host/nvme/data_transfers.h"
#include "host/nvme/device_accesses.h"
#include "host/nvme/fetch_unit.h"
#include "host/nvme/host_memory_buffer.h"

namespace nandscape::host {

// Time for which work has waited because of each limit in the parameter group host.nvme.
struct NvmeLimits {
  Tick command_slots;       // submission entries waited because no command slot was free
  Tick entry_fetches;       // submission entries waited because all `fetches` were under way
  Tick transfers_to_host;   // data of reads waited because `data_transfers` were under way
  Tick transfers_to_drive;  // data of writes waited because `data_transfers` were under way
};

class NvmeController final : public StorageClient, public DmaClient {
 public:
  // If `keep_data` is true, transfers carry the data of reads and writes; otherwise they only take time. Throws
  // ConfigError if `parameters` are not valid, for example if max_transfer_kib is not a power of two.
  NvmeController(Calendar& calendar, const NvmeParameters& parameters, StorageDevice& device, DmaPort& port,
                 bool keep_data);

  // Sets the link that the controller may call directly instead of the port; null if there is none.
  void connect(DmaTransfers* link) { parts_.dma.connect(link); }

  // Call before the first command. `times` holds the time sheets that the host's driver opens for its commands.
  void keep_times(CommandTimes& times) { parts_.times = &times; }

  // Call before the host enables the controller. `user` is the part of the drive that uses a host memory buffer.
  void lend_to(HostBufferUser& user) { buffer_.lend_to(user); }

  // Writes a doubleword of BAR0. The write takes effect at `arrival`, which is the current time or later. Only the bits
  // set in `lanes` are written, except that doorbells ignore `lanes`.
  static constexpr std::uint32_t all_lanes = 0xffff'ffff;
  static constexpr bool is_doorbell(std::uint64_t offset) {
    return offset >= nvme::reg::doorbells && offset < nvme::reg::msix_table;
  }
  void write_register(std::uint32_t offset, std::uint32_t value, Tick arrival, std::uint32_t lanes = all_lanes) {
    if (is_doorbell(offset)) [[likely]]
      return write_doorbell(offset, value, arrival);
    post_register_write({offset, value, lanes}, arrival);
  }
  // Writes a doorbell. A valid head doorbell needs no event at its arrival, because the queue head matters only when an
  // entry is posted.
  void write_doorbell(std::uint32_t offset, std::uint32_t value, Tick arrival) {
    const std::uint32_t number = (offset - nvme::reg::doorbells) / 4;
    const std::uint32_t id = number / 2;
    if (number % 2 == 1 && parts_.queues.valid_completion(id)) {
      CompletionQueue& queue = parts_.queues.completion[id];
      if (value < queue.size) return parts_.completions.head_doorbell(queue, value, arrival);
    }
    parts_.calendar.schedule<&NvmeController::doorbell_arrives>(arrival, *this, std::uint64_t{number} << 32 | value);
  }
  // Reads a register at the current time. Applies all earlier writes first, including writes that are still on the
  // link.
  std::uint32_t read_register(std::uint32_t offset);
  // Reads a register without side effects, for debuggers. Writes that are still on the link are not applied first.
  std::uint32_t peek_register(std::uint32_t offset) const;

  void completed(PageAccess& access, Tick now) override;
  void health_changed(Tick now) override;
  void background_work(bool under_way, Tick now) override { parts_.power.background_work(under_way, now); }
  void read_ended(DmaTag tag, bool ok) override;
  void write_ended(DmaTag tag) override;

  // Call when configuration space has changed the routing of interrupts.
  void route_interrupts(const InterruptRouting& routing);
  const Interrupts& interrupts() const { return parts_.interrupts; }
  // Function level reset: returns all registers and the MSI-X table to their state after power-on.
  void reset_function();

  // The power states of the drive. All functions for the present time.
  PowerStates& power() { return parts_.power; }
  const PowerStates& power() const { return parts_.power; }

  NvmeCounters counters() const;
  NvmeLimits times_at_limits() const;

  // Call when the host is lost, for example at a power loss. Drops the commands under way. Afterwards the controller
  // sends nothing more to the host.
  void host_lost();
  // Saves or restores the counters and the state that survives a power cycle.
  void persist(Archive& archive, Tick now);
  // Saves or restores the state of a controller without commands that does not survive a power cycle.
  void persist_settled(Archive& archive, Tick now) { parts_.power.persist(archive, now); }

 private:
  struct RegisterWrite {
    std::uint32_t offset;
    std::uint32_t value;
    std::uint32_t lanes;
  };

  void post_register_write(RegisterWrite write, Tick arrival);
  void register_write_arrives(std::uint64_t number);
  void doorbell_arrives(std::uint64_t number_and_value);
  void take_doorbell(std::uint64_t number_and_value);
  // Takes a doorbell as soon as the controller is operational.
  [[gnu::noinline]] void wake_for_doorbell(std::uint64_t number_and_value);
  void awake();
  [[gnu::noinline]] void head_doorbell_arrives(std::uint32_t id, std::uint32_t value);
  void apply(RegisterWrite write);
  void configure(std::uint32_t value);
  void enable();
  void disable();
  void reset_ended();
  // Called when a read has ended that serves neither a command nor its data.
  [[gnu::noinline]] void other_read_ended(DmaTag tag, bool ok);
  void reset_registers();
  void reset_subsystem();
  void shut_down();
  void flush_for_shutdown();
  void fatal();
  void start(SubmissionQueue& queue, const nvme::SubmissionEntry& entry);
  [[gnu::noinline]] void bad_doorbell(std::uint32_t information);
  // Call when cc_ or csts_ has changed.
  void look_at_registers() {
    running_ = (cc_ & nvme::cc::enable) != 0 && (csts_ & (nvme::csts::ready | nvme::csts::fatal)) == nvme::csts::ready;
  }

  ControllerParts parts_;
  FetchUnit fetch_;
  AsyncEvents events_;
  DeviceAccesses accesses_;
  DataTransfers transfers_;
  HostMemoryBuffer buffer_;
  std::unique_ptr<CommandSet> set_;
  AdminCommands admin_;

  std::uint64_t cap_ = 0;
  std::uint32_t cc_ = 0;
  std::uint32_t csts_ = 0;
  bool running_ = false;  // the controller is enabled, ready, and has met no fatal error
  std::uint32_t aqa_ = 0;
  std::uint64_t asq_ = 0;
  std::uint64_t acq_ = 0;

  std::vector<std::uint64_t> waiting_doorbells_;  // numbers and values, until the controller is operational
  std::deque<RegisterWrite> underway_;            // writes on the link, without doorbells
  std::uint64_t first_underway_ = 0;              // number of the first write in underway_
  PageAccess shutdown_flush_;
  bool flushing_ = false;
  bool resetting_ = false;         // CSTS.RDY stays set until no transfer to or from host memory is left
  std::uint32_t reset_probe_ = 0;  // destination of the read that a reset sends after all other transfers
  std::uint8_t warned_ = 0;        // critical warning bits at the last call of health_changed()
  std::uint16_t kelvin_;           // composite temperature at that call
};

}  // namespace nandscape::host
