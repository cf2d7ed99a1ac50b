// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nandscape::controller {

// What the controller knows when it begins.
enum class StartUp : std::uint8_t {
  as_preconditioned,  // the flash holds what the configuration says
  from_flash,         // nothing: the mapping is to be read from the flash, or to be loaded
};

}  // namespace nandscape::controller
