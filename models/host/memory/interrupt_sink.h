// SPDX-License-Identifier: Apache-2.0
// Who handles the interrupts that devices write into the interrupt window.
#pragma once

#include <cstdint>

namespace nandscape::host {

class InterruptSink {
 public:
  // The data of the message, which the driver has put into the device's MSI-X table.
  virtual void interrupt(std::uint32_t message) = 0;

 protected:
  ~InterruptSink() = default;
};

}  // namespace nandscape::host
