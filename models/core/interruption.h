// SPDX-License-Identifier: Apache-2.0
// What takes long asks now and then whether it is still wanted. Whoever can tell, such as a binding that sees Ctrl-C,
// says so with an Interruptible for the length of a call; nothing else passes the question down.
#pragma once

#include <exception>
#include <functional>

namespace nandscape {

// Thrown by what gives up because it is not wanted any more.
class Interrupted final : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

// While it lives, what this thread computes asks `wanted` every 50 ms or so, and gives up once that is false. It asks
// on this thread. The latest one that was made is asked.
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

// Throws Interrupted unless still_wanted(). Not for events: a simulation must not lose one half-way.
inline void interruption_point() {
  if (!still_wanted()) throw Interrupted();
}

}  // namespace nandscape
