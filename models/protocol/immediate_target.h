// SPDX-License-Identifier: Apache-2.0
// Implemented by targets whose b_transport does not wait. A process that cannot wait, such as the SC_METHOD that runs
// the calendar, calls them directly. A target without this interface may wait, and is called from a thread
// (blocking_calls.h). A dynamic_cast finds the interface, so it and the transport interface must be public bases of the
// target.
#pragma once

namespace nandscape {

class ImmediateTarget {
 public:
  // Called once all sockets are bound. A target that passes calls on returns the answer of the target behind it.
  [[nodiscard]] virtual bool immediate() const = 0;

 protected:
  ~ImmediateTarget() = default;
};

// Whether the target bound to an initiator's socket is immediate.
template <class Socket>
bool has_immediate_target(const Socket& socket) {
  const auto* const target = dynamic_cast<const ImmediateTarget*>(socket.operator->());
  return target != nullptr && target->immediate();
}

}  // namespace nandscape
