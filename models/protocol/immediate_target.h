// SPDX-License-Identifier: Apache-2.0
// An interface of targets whose b_transport does not call wait(). A process that must not wait, such as the SC_METHOD
// that runs the calendar, can call these targets directly. A target without this interface may wait, and is therefore
// called from a thread (see blocking_calls.h). The interface is found with a dynamic_cast, so both this interface and
// the transport interface must be public bases of the target.
#pragma once

namespace nandscape {

class ImmediateTarget {
 public:
  // Returns true if b_transport does not wait. Called after all sockets have been bound. A target that only passes
  // calls on returns the result of the target behind it.
  [[nodiscard]] virtual bool immediate() const = 0;

 protected:
  ~ImmediateTarget() = default;
};

// Returns true if the target that is bound to an initiator's socket is immediate.
template <class Socket>
bool has_immediate_target(const Socket& socket) {
  const auto* const target = dynamic_cast<const ImmediateTarget*>(socket.operator->());
  return target != nullptr && target->immediate();
}

}  // namespace nandscape
