// SPDX-License-Identifier: Apache-2.0
// How the driver reaches the controller's registers.
#pragma once

#include <cstdint>

namespace nandscape::host {

class RegisterPort {
 public:
  // A posted write: it arrives after its time on the link.
  virtual void write(std::uint32_t offset, std::uint32_t value) = 0;
  // The value that a read finds which arrives after all writes before it.
  virtual std::uint32_t read(std::uint32_t offset) = 0;

 protected:
  ~RegisterPort() = default;
};

}  // namespace nandscape::host
