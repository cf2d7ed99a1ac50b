// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.fullpages`: the place of four mapping units that fill a flash page.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "controller/fullpages/fullpage_pattern.h"
#include "controller/mapping/initial_fill.h"
#include "core/parameters.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

enum class FullpageAllocation { in_one_page, fpa };

struct FullpageParameters {
  FullpageAllocation allocation = FullpageAllocation::in_one_page;
  std::vector<double> layer_groups = {0, 2, 1, 3};
  std::uint32_t borrowed_parity_bytes = 32;
  double wait_ms = 1;
  std::uint32_t precondition_percent = 0;

  bool spread() const { return allocation == FullpageAllocation::fpa; }
};
void describe(FullpageParameters& p, ParameterVisitor& v);

// The additional parity bytes per codeword of the drive's codes besides the ordinary one, in the order of their numbers
// (fullpage_pattern.h). Empty unless fullpages are spread over layers.
std::vector<std::int32_t> parity_of_codes(const FullpageParameters& parameters);

// Throws ConfigError unless the fill keeps the order of addresses, as fullpages do.
void check(const FullpageParameters& parameters, const PreconditionParameters& precondition);

// The layout of fullpages over the layers, or nothing if they are not spread. Throws ConfigError when the device does
// not allow it.
std::optional<FullpagePattern> fullpage_pattern(const FullpageParameters& parameters, const Geometry& flash);

}  // namespace nandscape::controller
