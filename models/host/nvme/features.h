// SPDX-License-Identifier: Apache-2.0
// The values of the features that the host reads by Get Features and changes by Set Features. Also checks whether a new
// value is allowed. Of the power features, only the checks are here; PowerStates has their values.
#pragma once

#include <cstdint>
#include <vector>

#include "host/nvme/nvme_parameters.h"
#include "protocol/nvme.h"

namespace nandscape::host {

class Features {
 public:
  // The values of the field SEL of Get Features, which selects the value to return.
  enum class Select : std::uint8_t { current, standard, saved, capabilities };
  static Select select_of(const nvme::SubmissionEntry& entry) { return static_cast<Select>(entry.cdw10 >> 8 & 7); }

  struct Reply {
    nvme::Status status = nvme::Status::success;
    std::uint32_t value = 0;
  };

  // `device_caches` is true if the device has a volatile cache that may hold completed writes.
  Features(const NvmeParameters& parameters, bool device_caches);

  // Executes Get Features. CDW10 holds SEL 10:8 and FID 7:0. For a feature with several values, CDW11 selects the
  // value.
  Reply get(const nvme::SubmissionEntry& entry) const;
  // Executes Set Features. CDW10 holds SV 31 and FID 7:0, and CDW11 holds the new value. If `io_queues_exist`, Number
  // of Queues cannot be changed.
  Reply set(const nvme::SubmissionEntry& entry, bool io_queues_exist);

  // Restores the default values, as a controller reset requires.
  void reset();

  std::uint32_t arbitration() const { return now_.arbitration; }
  bool has_write_cache() const { return has_write_cache_; }
  bool write_cache_enabled() const { return now_.write_cache != 0; }
  std::uint32_t io_queues_granted() const { return now_.io_queues; }
  std::uint32_t interrupt_coalescing() const { return now_.interrupt_coalescing; }
  bool coalescing_disabled(std::uint32_t vector) const { return now_.coalescing_disabled[vector]; }
  // Returns true if the composite temperature `kelvin` has reached the host's over-temperature or under-temperature
  // threshold.
  bool temperature_past_threshold(std::uint32_t kelvin) const {
    return kelvin >= now_.over_temperature || kelvin <= now_.under_temperature;
  }
  // Returns true if the host has asked for an asynchronous event when the critical warning bit `warning` is set.
  bool events_wanted(std::uint8_t warning) const { return (now_.async_events & warning) != 0; }

 private:
  struct Values {
    std::uint32_t arbitration = 0;
    std::uint32_t over_temperature = 0;
    std::uint32_t under_temperature = 0;
    std::uint32_t error_recovery = 0;
    std::uint32_t write_cache = 0;
    std::uint32_t io_queues = 0;
    std::uint32_t interrupt_coalescing = 0;
    std::uint32_t write_atomicity = 0;
    std::uint32_t async_events = 0;
    std::vector<bool> coalescing_disabled;
  };

  Reply value_in(const Values& values, const nvme::SubmissionEntry& entry) const;

  NvmeParameters parameters_;
  bool has_write_cache_;
  Values defaults_;
  Values now_;
};

}  // namespace nandscape::host
