// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/smart_log.h"

namespace nandscape {

Value value_of(const nvme::SmartLog& log) {
  const auto warns = [&](std::uint8_t bit) { return Value((log.critical_warning & bit) != 0); };
  constexpr int kelvin_at_zero_celsius = 273;
  return Value(Value::Map{
      {"critical_warning", Value(Value::Map{
                               {"spare_below_threshold", warns(nvme::warning::spare_below_threshold)},
                               {"temperature", warns(nvme::warning::temperature)},
                               {"reliability_degraded", warns(nvme::warning::reliability_degraded)},
                               {"read_only", warns(nvme::warning::read_only)},
                           })},
      {"temperature_c", int{log.composite_temperature} - kelvin_at_zero_celsius},
      {"available_spare_percent", int{log.available_spare}},
      {"available_spare_threshold_percent", int{log.available_spare_threshold}},
      {"percentage_used", int{log.percentage_used}},
      {"data_units_read", log.data_units_read[0]},
      {"data_units_written", log.data_units_written[0]},
      {"host_read_commands", log.host_read_commands[0]},
      {"host_write_commands", log.host_write_commands[0]},
      {"controller_busy_minutes", log.controller_busy_minutes[0]},
      {"power_cycles", log.power_cycles[0]},
      {"power_on_hours", log.power_on_hours[0]},
      {"unsafe_shutdowns", log.unsafe_shutdowns[0]},
      {"media_errors", log.media_errors[0]},
      {"error_log_entries", log.error_log_entries[0]},
      {"thermal_1_transitions", std::uint64_t{log.thermal_1_transitions}},
      {"thermal_2_transitions", std::uint64_t{log.thermal_2_transitions}},
      {"thermal_1_s", std::uint64_t{log.thermal_1_seconds}},
      {"thermal_2_s", std::uint64_t{log.thermal_2_seconds}},
  });
}

}  // namespace nandscape
