// SPDX-License-Identifier: Apache-2.0
// What a device may say about a DMA transfer besides the generic payload. The extension is ignorable in the sense of
// TLM-2.0: memory that knows nothing of it sees an ordinary read or write.
#pragma once

#include <cstdint>
#include <tlm>

namespace nandscape::host {

struct DmaAttributes : tlm::tlm_extension<DmaAttributes> {
  // Only the time of the transfer is meant; its bytes need not be moved.
  bool timing_only = false;
  // A posted write completes for its sender as it is sent. The link holds the payload, and with it the data, until they
  // have arrived.
  bool posted = false;
  // Another write follows at once, and nobody looks at this one before that has arrived: it may be delivered then.
  bool more_follow = false;
  // What is no write to memory but an interrupt. A message is a write for whoever does not look here; the two of the
  // line come with TLM_IGNORE_COMMAND.
  enum class Interrupt : std::uint8_t { none, message, line_asserted, line_deasserted };
  Interrupt interrupt = Interrupt::none;

  tlm::tlm_extension_base* clone() const override { return new DmaAttributes(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const DmaAttributes&>(other); }
};

}  // namespace nandscape::host
