// SPDX-License-Identifier: Apache-2.0
// The external time controller of a user-mode Linux [include/uapi/linux/um_timetravel.h]. The guest asks to run at some
// time and waits; the controller lets it run when simulated time has come that far. Times are nanoseconds since the
// guest's start.
//
// A running guest may advance its own clock as long as this stays below free_until. From Linux 6.12 on, time, request
// and free_until are in a page that both share. An older guest asks for each of its steps, over the socket.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/guest/stream_socket.h"

namespace nandscape::host::guest {

using Nanoseconds = std::uint64_t;
inline constexpr Nanoseconds no_time = ~Nanoseconds{0};

class TimeController {
 public:
  // `time_of_day` is the guest's calendar time at its start, since 1970.
  TimeController(StreamSocket socket, Nanoseconds time_of_day);
  ~TimeController();
  TimeController(const TimeController&) = delete;
  TimeController& operator=(const TimeController&) = delete;

  int descriptor() const { return socket_.descriptor(); }
  // Whether the guest uses the shared page.
  bool shares_page() const;

  // Receives one message and answers it. Throws GuestError for a message that the protocol does not allow.
  void serve();

  // The guest's clock. A running guest advances it by itself.
  Nanoseconds now() const;
  // Whether the guest has stopped to wait, and the time at which it wants to run then; no_time for never.
  bool waits() const { return waits_; }
  Nanoseconds requested() const;

  // Sets the clock of a waiting guest, before it is interrupted.
  void set_now(Nanoseconds now);
  // Lets a waiting guest run, at the time of set_now().
  void run(Nanoseconds free_until);
  // Takes back time that run() has given, while the guest waits for an answer to something else.
  void lower_free_until(Nanoseconds free_until);

 private:
  struct Page;

  void answer(std::uint32_t sequence, std::uint64_t time, bool with_page = false);
  void started(std::uint32_t sequence);

  StreamSocket socket_;
  const Nanoseconds time_of_day_;
  Descriptor file_, log_;  // the page, and a file that the protocol asks for
  Page* page_ = nullptr;
  bool started_ = false;
  bool waits_ = false;
  bool run_unacknowledged_ = false;
  std::uint32_t sequence_ = 0;
  Nanoseconds now_ = 0;  // without a shared page
  Nanoseconds requested_ = no_time;
};

}  // namespace nandscape::host::guest
