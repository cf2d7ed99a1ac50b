// SPDX-License-Identifier: Apache-2.0
// Parameters of the driver: configuration group host.driver.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape::host {

struct DriverParameters {
  std::uint32_t memory_page_bytes = 4096;
  std::uint32_t queue_entries = 1024;
  double submit_ns = 0;
  double completion_ns = 0;
  std::uint32_t high_weight = 4;
  std::uint32_t medium_weight = 2;
  std::uint32_t low_weight = 1;
  std::uint64_t host_buffer_bytes = std::uint64_t{128} << 20;
};
void describe(DriverParameters& p, ParameterVisitor& v);

}  // namespace nandscape::host
