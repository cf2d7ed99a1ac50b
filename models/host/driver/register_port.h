// SPDX-License-Identifier: Apache-2.0
// How the driver reaches the controller's registers.
#pragma once

#include <cstdint>
#include <functional>

namespace nandscape::host {

class RegisterPort {
 public:
  // A posted write: it arrives after its time on the link.
  virtual void write(std::uint32_t offset, std::uint32_t value) = 0;
  // Gives the value that a read finds which arrives after all writes before it: before this returns where the device
  // answers at once, else as soon as it has answered.
  using Then = std::function<void(std::uint32_t value)>;
  virtual void read(std::uint32_t offset, Then then) = 0;

 protected:
  ~RegisterPort() = default;
};

}  // namespace nandscape::host
