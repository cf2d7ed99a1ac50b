// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/health.h"

#include <algorithm>
#include <cmath>

namespace nandscape::host {

void describe(const NvmeCounters& c, StatisticsVisitor& v) {
  v.count("read_commands", c.read_commands, "Read commands completed");
  v.count("write_commands", c.write_commands, "Write commands completed");
  v.count("other_io_commands", c.other_io_commands, "other I/O commands completed");
  v.count("admin_commands", c.admin_commands, "admin commands completed");
  v.count("failed_commands", c.failed_commands, "commands completed with an error status");
  v.count("sectors_read", c.sectors_read, "sectors of completed Read commands");
  v.count("sectors_written", c.sectors_written, "sectors of completed Write commands");
  v.count("page_accesses", c.page_accesses, "accesses to logical pages into which the commands were split");
  v.count("entry_fetches", c.entry_fetches, "reads of one or more submission queue entries");
  v.count("completions_held_back", c.completions_held_back, "completions that had to wait for a full queue");
  v.count("interrupts", c.interrupts, "interrupts sent");
}

void Health::record_error(const Command& command, nvme::Status status) {
  nvme::ErrorInformation entry;
  entry.error_count = ++errors_;
  entry.sq_id = command.queue;
  entry.command_id = command.entry.command_id;
  entry.status_field = nvme::status_field(status, false, true);
  entry.nsid = command.entry.nsid;
  if (command.queue != 0) entry.lba = std::uint64_t{command.entry.cdw11} << 32 | command.entry.cdw10;
  errors_ring_[errors_ % error_entries] = entry;
}

std::array<nvme::ErrorInformation, Health::error_entries> Health::error_log() const {
  std::array<nvme::ErrorInformation, error_entries> log{};
  for (std::uint64_t k = 0; k < error_entries && k < errors_; ++k) {
    log[k] = errors_ring_[(errors_ - k) % error_entries];
  }
  return log;
}

void Health::persist(Archive& archive, Tick now) {
  archive.section("NVMe controller");
  archive(counters_, errors_, errors_ring_);
  busy_.persist(archive, now);
}

std::uint8_t critical_warning(const DeviceHealth& device) {
  std::uint8_t warning = 0;
  if (device.available_spare_percent < device.spare_threshold_percent) warning |= nvme::warning::spare_below_threshold;
  if (device.reliability_degraded) warning |= nvme::warning::reliability_degraded;
  if (device.read_only) warning |= nvme::warning::read_only;
  return warning;
}

nvme::SmartLog Health::smart_log(Tick now, const DeviceHealth& device, std::uint16_t kelvin,
                                 bool temperature_past_threshold) const {
  const auto data_units = [](std::uint64_t sectors) { return (sectors + 999) / 1000; };
  nvme::SmartLog log;
  // The available spare is rounded down and the percentage used is rounded up. The value 255 stands for 255 and all
  // larger values.
  const auto rounded = [](double percent) { return static_cast<std::uint8_t>(std::clamp(percent, 0.0, 255.0)); };
  log.critical_warning = critical_warning(device);
  if (temperature_past_threshold) log.critical_warning |= nvme::warning::temperature;
  log.composite_temperature = kelvin;
  log.available_spare = rounded(std::min(std::floor(device.available_spare_percent), 100.0));
  log.available_spare_threshold = rounded(device.spare_threshold_percent);
  log.percentage_used = rounded(std::ceil(device.percentage_used));
  log.data_units_read[0] = data_units(counters_.sectors_read);
  log.data_units_written[0] = data_units(counters_.sectors_written);
  log.host_read_commands[0] = counters_.read_commands;
  log.host_write_commands[0] = counters_.write_commands;
  log.controller_busy_minutes[0] = busy_.total(now) / (60 * second);
  log.power_cycles[0] = device.power_cycles;
  log.power_on_hours[0] = now / (3600 * second);
  log.unsafe_shutdowns[0] = device.unsafe_shutdowns;
  log.media_errors[0] = device.media_errors;
  log.error_log_entries[0] = errors_;
  const auto counted = [](std::uint64_t number) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, 0xffff'ffff));
  };
  log.thermal_1_transitions = counted(device.light_throttling.transitions);
  log.thermal_2_transitions = counted(device.heavy_throttling.transitions);
  log.thermal_1_seconds = counted(device.light_throttling.time / second);
  log.thermal_2_seconds = counted(device.heavy_throttling.time / second);
  return log;
}

}  // namespace nandscape::host
