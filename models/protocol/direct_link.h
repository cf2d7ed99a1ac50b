// SPDX-License-Identifier: Apache-2.0
// Two blocks of one calendar that are bound to each other, with nothing between them, may call each other without TLM
// payloads, phases and times.
#pragma once

#include "core/calendar.h"

namespace nandscape {

// Finds the block at the other end of a link. `End` is the interface by which it is called.
template <class End>
class DirectLink {
 public:
  // The end that find() has found; null before its first call, and if the caller is not an event of the calendar. A hot
  // path asks this first, since it is two loads.
  End* found(const Calendar& calendar) const { return calendar.running() ? end_ : nullptr; }

  // Null if the other end is not a port of this calendar, if something is between the two, or if the caller is not an
  // event of the calendar.
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
    end_ = dynamic_cast<End*>(socket.operator->());
    if (end_ != nullptr && !end_->runs_in(calendar)) end_ = nullptr;
  }

  End* end_ = nullptr;
  bool known_ = false;  // the link has been looked at, at the first call: sockets are bound by then
};

}  // namespace nandscape
