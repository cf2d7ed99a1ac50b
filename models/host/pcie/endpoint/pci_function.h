// SPDX-License-Identifier: Apache-2.0
// A PCI Express function as its host sees it, and the host as the function sees it: what a transport to a host that is
// simulated elsewhere is put on. Both are at the host's end of the link, and know nothing of SystemC; PciPortModule
// joins them to the sockets of a link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ticks.h"

namespace nandscape::host {

// Accesses of the host, at `now`, the calendar's present. They are of any bytes, and are cut into naturally aligned
// ones of 1, 2, 4 or 8 bytes. An access returns when it is over for the host: a write to memory, which is posted, when
// it arrives; anything else when its answer is back. What a read finds is there at once. As a root complex does, an
// access that the function does not answer reads as ones, and as a write is lost.
class PciFunction {
 public:
  virtual Tick config_read(std::uint32_t offset, std::span<std::byte> into, Tick now) = 0;
  virtual Tick config_write(std::uint32_t offset, std::span<const std::byte> from, Tick now) = 0;
  virtual Tick memory_read(std::uint32_t bar, std::uint64_t offset, std::span<std::byte> into, Tick now) = 0;
  virtual Tick memory_write(std::uint32_t bar, std::uint64_t offset, std::span<const std::byte> from, Tick now) = 0;

 protected:
  ~PciFunction() = default;
};

// Requests of the function, each at the tick at which it has reached the host. None overtakes a write before it.
class PciHost {
 public:
  // False when there is no memory.
  virtual bool dma_read(std::uint64_t address, std::span<std::byte> into, Tick now) = 0;
  virtual bool dma_write(std::uint64_t address, std::span<const std::byte> from, Tick now) = 0;
  // A message-signalled interrupt, as the host has put it into the MSI-X table.
  virtual void message(std::uint64_t address, std::uint32_t data, Tick now) = 0;
  // INTA#, a level.
  virtual void set_intx(bool asserted, Tick now) = 0;

 protected:
  ~PciHost() = default;
};

}  // namespace nandscape::host
