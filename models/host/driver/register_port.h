// SPDX-License-Identifier: Apache-2.0
// The driver's interface to the controller's registers.
#pragma once

#include <cstdint>
#include <functional>

namespace nandscape::host {

class RegisterPort {
 public:
  // A posted write; it arrives at the controller after the delay of the link.
  virtual void write(std::uint32_t offset, std::uint32_t value) = 0;
  // Reads a register, after all earlier writes have arrived, and calls `then` with its value. A device that answers at
  // once does so before read() returns; otherwise `then` is called when the answer comes.
  using Then = std::function<void(std::uint32_t value)>;
  virtual void read(std::uint32_t offset, Then then) = 0;

 protected:
  ~RegisterPort() = default;
};

}  // namespace nandscape::host
