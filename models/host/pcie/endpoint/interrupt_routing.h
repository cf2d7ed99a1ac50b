// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nandscape::host {

// What configuration space says of a function's interrupts.
struct InterruptRouting {
  bool msix = true;  // MSI-X Enable; else INTx
  bool function_masked = false;
  bool may_send = true;      // messages: Bus Master Enable, and the function is in D0
  bool line_allowed = true;  // not Interrupt Disable
};

}  // namespace nandscape::host
