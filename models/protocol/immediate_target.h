// SPDX-License-Identifier: Apache-2.0
// A target whose b_transport does not wait, so that a process that cannot wait may call it: the SC_METHOD that runs the
// calendar. What a foreign target does is not known, and it is called from a thread (blocking_calls.h). To be found,
// this and the transport interface have to be public bases of the target.
#pragma once

namespace nandscape {

class ImmediateTarget {
 public:
  // Asked once all is bound: one that passes calls on is what stands behind it.
  virtual bool immediate() const = 0;

 protected:
  ~ImmediateTarget() = default;
};

// Of what is bound to an initiator's socket.
template <class Socket>
bool has_immediate_target(const Socket& socket) {
  const auto* const target = dynamic_cast<const ImmediateTarget*>(socket.operator->());
  return target != nullptr && target->immediate();
}

}  // namespace nandscape
