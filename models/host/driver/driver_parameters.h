// SPDX-License-Identifier: Apache-2.0
// What can be chosen about the driver: host.driver.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape::host {

struct DriverParameters {
  std::uint32_t memory_page_bytes = 4096;
  std::uint32_t queue_entries = 1024;
  double submit_ns = 0;
  double completion_ns = 0;
};
void describe(DriverParameters& p, ParameterVisitor& v);

}  // namespace nandscape::host
