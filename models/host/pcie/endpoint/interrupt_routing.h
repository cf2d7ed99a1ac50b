// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nandscape::host {

// How configuration space routes a function's interrupts.
struct InterruptRouting {
  bool msix = true;  // MSI-X Enable; otherwise INTx
  bool function_masked = false;
  bool may_send = true;      // messages are allowed: Bus Master Enable is set, and the function is in D0
  bool line_allowed = true;  // Interrupt Disable is clear, and the function is in D0
};

}  // namespace nandscape::host
