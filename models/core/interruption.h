// SPDX-License-Identifier: Apache-2.0
// Cancellation of long computations. A long computation calls still_wanted() or interruption_point() at short
// intervals. A caller that can cancel the computation creates an Interruptible for the duration of the call, for
// example a language binding that detects Ctrl-C. The computation needs no additional argument for this.
#pragma once

#include <exception>
#include <functional>

namespace nandscape {

// Thrown when a computation is cancelled.
class Interrupted final : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

// While an Interruptible exists, still_wanted() calls `wanted` about every 50 ms on the thread that created the
// Interruptible, and returns its result. If a thread has several of these objects, only the most recent one is called.
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

// Returns false if the computation is to be cancelled. Always returns true on a thread without an Interruptible. The
// function is cheap enough to be called for every microsecond of work.
bool still_wanted();

// Throws Interrupted if the computation is to be cancelled. Do not call this function inside an event of the calendar,
// because an event must run to its end.
inline void interruption_point() {
  if (!still_wanted()) throw Interrupted();
}

}  // namespace nandscape
