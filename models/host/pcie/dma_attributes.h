// SPDX-License-Identifier: Apache-2.0
// Attributes of a DMA transfer that the generic payload has no field for. The extension is ignorable in the sense of
// TLM-2.0: memory that does not look for it sees an ordinary read or write.
#pragma once

#include <cstdint>
#include <tlm>

#include "host/pcie/dma_port.h"

namespace nandscape::host {

struct DmaAttributes : tlm::tlm_extension<DmaAttributes> {
  // The transfer takes its time, but its bytes need not be moved.
  bool timing_only = false;
  // A posted write completes for its sender when it is sent. The link holds the payload and its data until they have
  // arrived.
  bool posted = false;
  // Another write follows at once, and the host reads neither before both have arrived. The link may deliver this one
  // together with the next.
  bool more_follow = false;
  // Marks a transfer that is an interrupt. A `message` is also a write, for memory that ignores this extension. The two
  // events of the line have TLM_IGNORE_COMMAND.
  using Interrupt = DmaInterrupt;
  Interrupt interrupt = Interrupt::none;

  tlm::tlm_extension_base* clone() const override { return new DmaAttributes(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const DmaAttributes&>(other); }
};

}  // namespace nandscape::host
