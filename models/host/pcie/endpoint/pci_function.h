// SPDX-License-Identifier: Apache-2.0
// The interface between a PCI Express function and a host in another simulator: PciFunction is the function as the host
// sees it, PciHost the host as the function sees it. A transport to that host implements PciHost. Both are at the
// host's end of the link and do not depend on SystemC; PciPortModule joins them to the sockets of a link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ticks.h"

namespace nandscape::host {

// Accesses of the host at `now`, the calendar's current time. An access may have any offset and length; it is cut into
// naturally aligned accesses of 1, 2 or 4 bytes, and in memory also 8. Each function returns the tick at which the
// access ends for the host: a posted memory write when it arrives, any other access when its answer reaches the host.
// Reads fill `into` before they return. If the PCI function does not answer, a read returns ones and a write is lost,
// as with a root complex.
class PciFunction {
 public:
  virtual Tick config_read(std::uint32_t offset, std::span<std::byte> into, Tick now) = 0;
  virtual Tick config_write(std::uint32_t offset, std::span<const std::byte> from, Tick now) = 0;
  virtual Tick memory_read(std::uint32_t bar, std::uint64_t offset, std::span<std::byte> into, Tick now) = 0;
  virtual Tick memory_write(std::uint32_t bar, std::uint64_t offset, std::span<const std::byte> from, Tick now) = 0;

 protected:
  ~PciFunction() = default;
};

// Requests of the function, each at the tick at which it reaches the host. A request never overtakes an earlier write.
class PciHost {
 public:
  // Return false when there is no memory at the address.
  virtual bool dma_read(std::uint64_t address, std::span<std::byte> into, Tick now) = 0;
  virtual bool dma_write(std::uint64_t address, std::span<const std::byte> from, Tick now) = 0;
  // A message-signalled interrupt, with the address and data that the host has written into the MSI-X table.
  virtual void message(std::uint64_t address, std::uint32_t data, Tick now) = 0;
  // Sets the level of INTA#.
  virtual void set_intx(bool asserted, Tick now) = 0;

 protected:
  ~PciHost() = default;
};

}  // namespace nandscape::host
