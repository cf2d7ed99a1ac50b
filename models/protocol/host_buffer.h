// SPDX-License-Identifier: Apache-2.0
// The host memory buffer: memory of the host that a drive without DRAM may use (NVM Express, Host Memory Buffer). The
// front end asks the host for it and moves bytes over the link; the drive decides what it keeps there. The simulation
// moves no content, since the drive knows its own.
#pragma once

#include <cstdint>

#include "core/ticks.h"

namespace nandscape {

// The side of the front end.
class HostBuffer {
 public:
  // Begins to read bytes of the buffer. HostBufferUser::arrived() is called with `tag` when they have arrived. Reads
  // arrive in their order, and see all earlier writes.
  virtual void read(std::uint64_t offset, std::uint32_t bytes, std::uint32_t tag) = 0;
  // Writes bytes of the buffer. The drive is not told when they have reached the host.
  virtual void write(std::uint64_t offset, std::uint32_t bytes) = 0;

 protected:
  ~HostBuffer() = default;
};

// The side of the drive.
class HostBufferUser {
 public:
  // The size that the drive would like to have, and the least size that it can use. The host may grant nothing.
  virtual std::uint64_t preferred_bytes() const = 0;
  virtual std::uint64_t least_bytes() const = 0;

  // Called when the host has granted the buffer. Its content is undefined.
  virtual void granted(HostBuffer& buffer, std::uint64_t bytes, Tick now) = 0;
  // Called when the drive must not begin any further transfer, because the host wants its memory back or is lost. Reads
  // under way may still arrive. Does nothing if no buffer is granted.
  virtual void withdrawn(Tick now) = 0;
  virtual void arrived(std::uint32_t tag, Tick now) = 0;

 protected:
  ~HostBufferUser() = default;
};

}  // namespace nandscape
