// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nandscape::controller {

struct PowerState {
  bool has_capacitor = false;
  bool saving = false;  // the supply has failed, and the capacitor still feeds the drive

  // With a capacitor, what is in the dies' latches and in buffers is durable.
  bool programmed_is_durable() const { return has_capacitor && !saving; }
};

}  // namespace nandscape::controller
