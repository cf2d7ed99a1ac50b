// SPDX-License-Identifier: Apache-2.0
// The interface between a PCI Express function and a host that runs in another simulator. The host calls PciFunction,
// and the function calls PciHost. PciHost is implemented by the transport to the other simulator. Both classes are at
// the host's end of the link and do not depend on SystemC; PciPortModule connects them to the sockets of a link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ticks.h"

namespace nandscape::host {

// The accesses of the host. `now` must be the calendar's current time. An access may have any offset and length. It is
// split into naturally aligned accesses of 1, 2 or 4 bytes, or of up to 8 bytes in memory space. Each function returns
// the tick at which the access ends for the host: for a posted memory write the tick at which it arrives, and for any
// other access the tick at which its answer reaches the host. Reads fill `into` before they return. If the PCI function
// does not answer, a read returns bytes of FFh and a write is lost, as with a root complex.
class PciFunction {
 public:
  virtual Tick config_read(std::uint32_t offset, std::span<std::byte> into, Tick now) = 0;
  virtual Tick config_write(std::uint32_t offset, std::span<const std::byte> from, Tick now) = 0;
  virtual Tick memory_read(std::uint32_t bar, std::uint64_t offset, std::span<std::byte> into, Tick now) = 0;
  virtual Tick memory_write(std::uint32_t bar, std::uint64_t offset, std::span<const std::byte> from, Tick now) = 0;

 protected:
  ~PciFunction() = default;
};

// The requests of the function. Each is made at the tick `now` at which it reaches the host. A request never overtakes
// an earlier write.
class PciHost {
 public:
  // Read or write host memory. Return false if there is no memory at the address.
  virtual bool dma_read(std::uint64_t address, std::span<std::byte> into, Tick now) = 0;
  virtual bool dma_write(std::uint64_t address, std::span<const std::byte> from, Tick now) = 0;
  // Delivers a message-signalled interrupt, with the address and the data that the host has written into the MSI-X
  // table.
  virtual void message(std::uint64_t address, std::uint32_t data, Tick now) = 0;
  // Reports the level of the interrupt line INTA#.
  virtual void set_intx(bool asserted, Tick now) = 0;

 protected:
  ~PciHost() = default;
};

}  // namespace nandscape::host
