// SPDX-License-Identifier: Apache-2.0
// The state that the units of the NVMe controller share, for example the queues, the features and the pools of commands
// and accesses.
#pragma once

#include <cstdint>

#include "core/calendar.h"
#include "core/divisor.h"
#include "host/nvme/command.h"
#include "host/nvme/completion_path.h"
#include "host/nvme/dma_engine.h"
#include "host/nvme/features.h"
#include "host/nvme/health.h"
#include "host/nvme/interrupts.h"
#include "host/nvme/nvme_parameters.h"
#include "host/nvme/power_states.h"
#include "host/nvme/queues.h"
#include "protocol/command_times.h"
#include "protocol/storage.h"

namespace nandscape::host {

struct ControllerParts {
  ControllerParts(Calendar& c, const NvmeParameters& p, StorageDevice& d, DmaPort& port, bool keep_the_data)
      : calendar(c),
        parameters(p),
        device(d),
        dma(c, port),
        keep_data(keep_the_data),
        sectors_per_page(d.page_bytes() / sector_bytes),
        namespace_sectors(d.logical_pages() * sectors_per_page.value()),
        queues(p.io_queues),
        commands(p.command_slots),
        features(p, d.health().volatile_write_cache),
        interrupts(c, dma, p.io_queues + 1),
        completions(c, dma, queues, interrupts, health),
        power(p.power_states, health.busy(), c.now()) {}

  // Call when one of the command's `pending` accesses and transfers has ended. Finishes the command if no other is
  // pending.
  void one_ended(Command& command) {
    if (--command.pending == 0) finish(command);
  }

  // Completes a command, unless it is detached, and frees its slot.
  void finish(Command& command);
  // Completes the command at once with `status`, even while accesses or transfers are pending. The command's slot
  // becomes free when all of them have ended.
  void detach(Command& command, nvme::Status status);
  // Returns the composite temperature, in kelvin, of a device with this health.
  std::uint16_t kelvin(const DeviceHealth& of_device) const {
    return static_cast<std::uint16_t>(of_device.temperature_c + parameters.temperature_rise_c + 273.5);
  }
  std::uint32_t max_transfer_bytes() const { return parameters.max_transfer_kib * 1024; }

  Calendar& calendar;
  const NvmeParameters parameters;
  StorageDevice& device;
  DmaEngine dma;
  const bool keep_data;
  const Divisor sectors_per_page;
  const std::uint64_t namespace_sectors;
  std::uint32_t memory_page_bytes = 4096;  // set by the host in CC.MPS
  CommandTimes* times = nullptr;           // the host's time sheets; null if the host keeps none

  QueueSet queues;
  CommandPool commands;
  AccessPool accesses;
  Features features;
  Interrupts interrupts;
  Health health;
  CompletionPath completions;
  PowerStates power;

 private:
  // Counts the command in the statistics, frees its identifier, and posts its completion to the host.
  void complete(Command& command);
  // Completes an admin command, or a command that has failed.
  [[gnu::noinline]] void complete_other(Command& command);
  void post(const Command& command, nvme::Status status);
};

}  // namespace nandscape::host
