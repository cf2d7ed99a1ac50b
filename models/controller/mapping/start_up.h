// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nandscape::controller {

// What the controller knows at its start.
enum class StartUp : std::uint8_t {
  as_preconditioned,  // the flash holds what the configuration says
  from_flash,         // nothing: the mapping has to be read from the flash or restored
};

}  // namespace nandscape::controller
