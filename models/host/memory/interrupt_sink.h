// SPDX-License-Identifier: Apache-2.0
// Interfaces for the interrupts that devices write into the interrupt window of host memory.
#pragma once

#include <cstdint>

#include "core/calendar.h"

namespace nandscape::host {

class InterruptSink {
 public:
  // Handles an interrupt. `message` is the data word that the driver has written into the device's MSI-X table.
  virtual void interrupt(std::uint32_t message) = 0;

 protected:
  ~InterruptSink() = default;
};

// Implemented by host memory that a link may call directly to deliver an interrupt, instead of sending the message as a
// write. The link finds this interface by a dynamic_cast of the target to which it is bound.
class DirectInterrupts {
 public:
  // Returns true if this host memory runs in `calendar`, so that a link of this calendar may call it.
  virtual bool runs_in(const Calendar& calendar) const = 0;
  // Delivers a message at the calendar's current time. Returns false, and does nothing, if `address` is outside the
  // interrupt window.
  virtual bool interrupt_comes(std::uint64_t address, std::uint32_t message) = 0;

 protected:
  ~DirectInterrupts() = default;
};

}  // namespace nandscape::host
