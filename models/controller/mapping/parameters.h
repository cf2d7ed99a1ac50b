// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.mapping`.
#pragma once

#include <cstdint>
#include <string>

#include "controller/mapping/mapping_cache.h"
#include "core/parameters.h"

namespace nandscape::controller {

struct MappingParameters {
  std::string allocation = "CWDP";
  VariantChoice plane{"by_address", nullptr};
  double over_provisioning = 0.07;
  std::uint32_t unit_bytes = 0;
  double write_coalescing_us = 10;
  double wordline_wait_us = 10;
  double trim_entry_ns = 5;
  MappingCacheParameters cache;  // its keys are in this group
};
void describe(MappingParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
