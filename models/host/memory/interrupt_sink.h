// SPDX-License-Identifier: Apache-2.0
// Handler of the interrupts that devices write into the interrupt window.
#pragma once

#include <cstdint>

namespace nandscape::host {

class InterruptSink {
 public:
  // `message` is the data word that the driver has written into the device's MSI-X table.
  virtual void interrupt(std::uint32_t message) = 0;

 protected:
  ~InterruptSink() = default;
};

}  // namespace nandscape::host
