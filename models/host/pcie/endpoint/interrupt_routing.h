// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nandscape::host {

// How a function delivers its interrupts, as its configuration space determines.
struct InterruptRouting {
  bool msix = true;  // MSI-X Enable; otherwise INTx
  bool function_masked = false;
  bool may_send = true;      // messages may be sent: Bus Master Enable is set, and the function is in D0
  bool line_allowed = true;  // the line may be asserted: Interrupt Disable is clear, and the function is in D0
};

}  // namespace nandscape::host
