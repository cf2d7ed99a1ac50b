// SPDX-License-Identifier: Apache-2.0
// Cancellation of long computations. A long computation calls still_wanted() or interruption_point() now and then. A
// caller that can cancel it, such as a binding that sees Ctrl-C, holds an Interruptible for the duration of the call;
// the computation takes no extra argument.
#pragma once

#include <exception>
#include <functional>

namespace nandscape {

// Thrown when a computation is cancelled.
class Interrupted final : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

// While an Interruptible exists, still_wanted() calls `wanted` on this thread, about every 50 ms, and returns its
// result. If several exist on a thread, only the most recent one is called.
class Interruptible {
 public:
  explicit Interruptible(std::function<bool()> wanted);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  std::function<bool()> wanted_;
  const Interruptible* before_;
  friend bool still_wanted();
};

// Cheap enough to be called for each microsecond of work. Always true on a thread without an Interruptible.
bool still_wanted();

// Throws Interrupted unless still_wanted(). Do not call this in an event: an event must not be cut short.
inline void interruption_point() {
  if (!still_wanted()) throw Interrupted();
}

}  // namespace nandscape
