// SPDX-License-Identifier: Apache-2.0
// Attributes of a DMA transfer for which the generic payload has no field. The extension is ignorable in the sense of
// TLM-2.0: memory that does not look for the extension sees an ordinary read or write.
#pragma once

#include <cstdint>
#include <tlm>

#include "host/pcie/dma_port.h"

namespace nandscape::host {

struct DmaAttributes : tlm::tlm_extension<DmaAttributes> {
  // The link models the time of the transfer but does not need to move its bytes.
  bool timing_only = false;
  // The transfer is a posted write, which completes for its sender as soon as it is sent. The link keeps the payload
  // and its data until the data have arrived at host memory.
  bool posted = false;
  // Another write follows at once, and the host reads neither of the two before both have arrived. The link may
  // therefore deliver this write together with the next one.
  bool more_follow = false;
  // The kind of interrupt that the transfer carries, or `none`. A `message` is also a write, for memory that ignores
  // this extension. The transfers that assert or deassert the interrupt line have the command TLM_IGNORE_COMMAND,
  // because they write nothing.
  using Interrupt = DmaInterrupt;
  Interrupt interrupt = Interrupt::none;

  tlm::tlm_extension_base* clone() const override { return new DmaAttributes(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const DmaAttributes&>(other); }
};

}  // namespace nandscape::host
