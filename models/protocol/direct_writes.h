// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/calendar.h"

namespace nandscape {

// Implemented by a target that accepts a posted write of a doubleword, for example of a doorbell, as a direct call
// (direct_link.h). The initiator must run in the same calendar. It sends all other accesses as payloads.
class DirectWrites {
 public:
  // Returns true if an initiator in this calendar may call write_doubleword(). Called only after all sockets are bound.
  virtual bool runs_in(const Calendar& calendar) = 0;
  // Writes `value` at the time `at`, which is the current time or later. Throws ProtocolError if the target refuses the
  // write.
  virtual void write_doubleword(std::uint64_t address, std::uint32_t value, Tick at) = 0;

 protected:
  ~DirectWrites() = default;
};

}  // namespace nandscape
