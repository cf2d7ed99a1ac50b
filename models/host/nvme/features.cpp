// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/features.h"

#include <algorithm>

namespace nandscape::host {

using nvme::Feature;
using nvme::Status;

namespace {

constexpr std::uint32_t default_warning_kelvin = 273 + 85;

// Fields of Temperature Threshold: THSEL 21:20 and TMPSEL 19:16. The only sensor is the composite temperature (TMPSEL
// 0); TMPSEL Fh means all sensors and is valid only when a threshold is set.
constexpr bool under_threshold(std::uint32_t cdw11) { return (cdw11 >> 20 & 3) == 1; }
constexpr bool threshold_exists(std::uint32_t cdw11, bool setting) {
  const std::uint32_t sensor = cdw11 >> 16 & 0xf;
  return (cdw11 >> 20 & 3) <= 1 && (sensor == 0 || (setting && sensor == 0xf));
}

constexpr bool namespace_specific(Feature f) { return f == Feature::error_recovery; }

}  // namespace

Features::Features(const NvmeParameters& parameters, bool device_caches)
    : parameters_(parameters), has_write_cache_(device_caches && parameters.volatile_write_cache) {
  defaults_.arbitration = parameters.arbitration_burst;
  defaults_.over_temperature = default_warning_kelvin;
  defaults_.write_cache = parameters.volatile_write_cache ? 1 : 0;
  defaults_.io_queues = parameters.io_queues;
  defaults_.coalescing_disabled.assign(parameters.io_queues + 1, false);
  defaults_.coalescing_disabled[0] = true;  // the interrupts of the admin completion queue are not coalesced
  reset();
}

void Features::reset() { now_ = defaults_; }

Features::Reply Features::get(const nvme::SubmissionEntry& entry) const {
  switch (select_of(entry)) {
    case Select::current: return value_in(now_, entry);
    case Select::standard:
    case Select::saved: return value_in(defaults_, entry);  // no feature is saveable, so the default is returned
    case Select::capabilities: {
      Reply reply = value_in(now_, entry);
      const bool specific = namespace_specific(static_cast<Feature>(entry.cdw10 & 0xff));
      reply.value = 1u << 2 | (specific ? 1u << 1 : 0u);  // changeable, namespace specific, not saveable
      return reply;
    }
    default: return {Status::invalid_field, 0};
  }
}

Features::Reply Features::value_in(const Values& v, const nvme::SubmissionEntry& entry) const {
  switch (static_cast<Feature>(entry.cdw10 & 0xff)) {
    case Feature::arbitration: return {Status::success, v.arbitration};
    case Feature::power_management: return {Status::success, 0};
    case Feature::temperature_threshold:
      if (!threshold_exists(entry.cdw11, false)) return {Status::invalid_field, 0};
      return {Status::success, under_threshold(entry.cdw11) ? v.under_temperature : v.over_temperature};
    case Feature::error_recovery: return {Status::success, v.error_recovery};
    case Feature::volatile_write_cache:
      if (!has_write_cache_) return {Status::invalid_field, 0};
      return {Status::success, v.write_cache};
    case Feature::number_of_queues: return {Status::success, (v.io_queues - 1) << 16 | (v.io_queues - 1)};
    case Feature::interrupt_coalescing: return {Status::success, v.interrupt_coalescing};
    case Feature::interrupt_vector_configuration: {
      const std::uint32_t vector = entry.cdw11 & 0xffff;
      if (vector >= v.coalescing_disabled.size()) return {Status::invalid_field, 0};
      return {Status::success, vector | (v.coalescing_disabled[vector] ? 1u << 16 : 0u)};
    }
    case Feature::write_atomicity: return {Status::success, v.write_atomicity};
    case Feature::async_event_configuration: return {Status::success, v.async_events};
    case Feature::autonomous_power_state_transition:
      return {parameters_.power_states.empty() ? Status::invalid_field : Status::success, 0};
    case Feature::host_memory_buffer: break;  // see HostMemoryBuffer
  }
  return {Status::invalid_field, 0};
}

Features::Reply Features::set(const nvme::SubmissionEntry& entry, bool io_queues_exist) {
  const auto feature = static_cast<Feature>(entry.cdw10 & 0xff);
  const std::uint32_t value = entry.cdw11;
  const Reply refused = {Status::invalid_field, 0};
  if (value_in(now_, entry).status != Status::success && feature != Feature::temperature_threshold) return refused;
  if ((entry.cdw10 >> 31) != 0) return {Status::feature_not_saveable, 0};
  if (!namespace_specific(feature) && entry.nsid != 0 && entry.nsid != 0xffff'ffff) {
    return {Status::feature_not_namespace_specific, 0};
  }

  switch (feature) {
    case Feature::arbitration: now_.arbitration = value; break;
    case Feature::power_management:  // PS 4:0; the workload hint is ignored
      if ((value & 0x1f) >= std::max<std::size_t>(parameters_.power_states.size(), 1)) return refused;
      break;
    case Feature::temperature_threshold:
      if (!threshold_exists(value, true)) return refused;
      (under_threshold(value) ? now_.under_temperature : now_.over_temperature) = value & 0xffff;
      break;
    case Feature::error_recovery:
      // Bit 16 is DULBE, the error for reads of deallocated blocks, which the namespace does not support.
      if ((value & 1u << 16) != 0) return refused;
      now_.error_recovery = value & 0xffff;
      break;
    case Feature::volatile_write_cache: now_.write_cache = value & 1; break;
    case Feature::number_of_queues: {
      const std::uint32_t submission = value & 0xffff;
      const std::uint32_t completion = value >> 16;
      if (submission == 0xffff || completion == 0xffff) return refused;
      if (io_queues_exist) return {Status::command_sequence_error, 0};
      // The controller grants the same number of submission and completion queues. Both numbers are 0's based.
      now_.io_queues = std::min(parameters_.io_queues, std::min(submission, completion) + 1);
      return value_in(now_, entry);
    }
    case Feature::interrupt_coalescing: now_.interrupt_coalescing = value & 0xffff; break;
    case Feature::interrupt_vector_configuration:
      now_.coalescing_disabled[value & 0xffff] = (value >> 16 & 1) != 0;
      break;
    case Feature::write_atomicity: now_.write_atomicity = value & 1; break;
    case Feature::async_event_configuration: now_.async_events = value; break;
    case Feature::autonomous_power_state_transition:
    case Feature::host_memory_buffer: break;
  }
  return {Status::success, 0};
}

}  // namespace nandscape::host
