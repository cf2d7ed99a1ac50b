// SPDX-License-Identifier: Apache-2.0
// Lets two connected blocks call each other directly, without the overhead of TLM payloads, phases and times. The
// blocks must use the same calendar, and their sockets must be bound to each other with no other module between them.
#pragma once

#include "core/calendar.h"

namespace nandscape {

// Returns the block at the other end of a socket. Returns null if the block is not of type End, if it does not run in
// this calendar, or if another module is between the two ends. Call only after all sockets are bound.
template <class End, class Socket>
End* direct_end(Socket& socket, const Calendar& calendar) {
  End* const end = dynamic_cast<End*>(socket.operator->());
  return end != nullptr && end->runs_in(calendar) ? end : nullptr;
}

// Finds the block at the other end of a link. `End` is the interface through which this block is called.
template <class End>
class DirectLink {
 public:
  // Returns the end that find() has found. Returns null before the first call of find(), and if the caller is not an
  // event of the calendar. Frequently executed code calls this function before find(), because it needs only two loads.
  End* found(const Calendar& calendar) const { return calendar.running() ? end_ : nullptr; }

  // Returns direct_end(), or null if the caller is not an event of the calendar.
  template <class Socket>
  End* find(Socket& socket, const Calendar& calendar) {
    if (!known_) [[unlikely]]
      look(socket, calendar);
    return calendar.running() ? end_ : nullptr;
  }

 private:
  template <class Socket>
  [[gnu::noinline]] void look(Socket& socket, const Calendar& calendar) {
    known_ = true;
    end_ = direct_end<End>(socket, calendar);
  }

  End* end_ = nullptr;
  bool known_ = false;  // look() has examined the link
};

}  // namespace nandscape
