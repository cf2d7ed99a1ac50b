// SPDX-License-Identifier: Apache-2.0
// Handler of the interrupts that devices write into the interrupt window.
#pragma once

#include <cstdint>

namespace nandscape {
class Calendar;
}

namespace nandscape::host {

class InterruptSink {
 public:
  // `message` is the data word that the driver has written into the device's MSI-X table.
  virtual void interrupt(std::uint32_t message) = 0;

 protected:
  ~InterruptSink() = default;
};

// Host memory that a link calls directly for an interrupt, in place of a write of its message. A dynamic_cast of the
// target that is bound to the link finds it.
class DirectInterrupts {
 public:
  // Whether it runs in this calendar.
  virtual bool runs_in(const Calendar& calendar) const = 0;
  // Handles a message at the calendar's present. Returns false if it is not written into the interrupt window.
  virtual bool interrupt_comes(std::uint64_t address, std::uint32_t message) = 0;

 protected:
  ~DirectInterrupts() = default;
};

}  // namespace nandscape::host
