// SPDX-License-Identifier: Apache-2.0
#include "host/guest/guest_machine.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>
#include <limits>
#include <utility>

#include "core/interruption.h"
#include "host/guest/guest_error.h"

namespace nandscape::host::guest {

namespace {

constexpr Tick ticks_per_ns = 1000;
// Linux's end of time: a guest that sleeps forever asks for it, and panics when it is reached.
constexpr Nanoseconds forever = std::numeric_limits<std::int64_t>::max();

constexpr int look_around_ms = 50;          // wall time between two looks for an interruption
constexpr int interrupt_taken_ms = 30'000;  // wall time; a waiting kernel takes note of an interrupt at once

}  // namespace

GuestMachine::GuestMachine(const GuestSockets& sockets, Nanoseconds time_of_day)
    : time_listener_(sockets.time, "time"),
      pci_listener_(sockets.pci, "PCI"),
      console_listener_(sockets.console, "console"),
      time_of_day_(time_of_day) {
  pci_.listen(this);
}

void GuestMachine::attach(PciFunction& function, DriveTime& time) {
  time_ = &time;
  pci_.attach(&function);
  join_clocks();
}

void GuestMachine::detach() {
  time_ = nullptr;
  pci_.attach(nullptr);
}

// ---- Time

void GuestMachine::join_clocks() {
  joint_ = now();
  if (time_ != nullptr) joint_tick_ = left_at_ = time_->now();
}

Tick GuestMachine::tick_of(Nanoseconds time) const {
  if (time >= forever) return never;
  return joint_tick_ + (time - joint_) * ticks_per_ns;
}

Nanoseconds GuestMachine::nanoseconds_of(Tick time) const {
  if (time == never) return forever;
  if (time <= joint_tick_) return joint_;
  return std::min(forever, joint_ + (time - joint_tick_ + ticks_per_ns - 1) / ticks_per_ns);
}

Nanoseconds GuestMachine::free_until() {
  if (wants_delivery() || console_.has_line()) return now();
  Nanoseconds free = std::min(forever, limit_);
  if (time_ != nullptr) free = std::min(free, nanoseconds_of(std::min(time_->next_event(), pci_.next_answer())));
  return free;
}

// ---- Running

GuestMachine::End GuestMachine::run(Nanoseconds limit) {
  // Whatever happened to the drive since the last call, for example a year on the shelf, did not pass for the guest.
  if (time_ != nullptr && time_->now() != left_at_) join_clocks();
  limit_ = limit;
  const auto leave = [this] {
    if (time_ != nullptr) left_at_ = time_->now();
  };
  try {
    const End end = run_to_end(limit);
    leave();
    return end;
  } catch (const GuestGone& gone) {
    leave();
    last_words_ = gone.what();
    return End::gone;
  } catch (...) {
    leave();
    throw;
  }
}

GuestMachine::End GuestMachine::run_to_end(Nanoseconds limit) {
  for (;;) {
    if (clock_ != nullptr && clock_->waits()) {
      if (console_.has_line()) return End::line;
      if (now() >= limit) return End::limit;
      advance(limit);
    } else {
      serve();
    }
  }
}

void GuestMachine::serve() {
  std::array<pollfd, 3> sources{{
      {clock_ ? clock_->descriptor() : time_listener_.descriptor(), POLLIN, 0},
      {pci_connection_ ? pci_connection_->descriptor() : pci_listener_.descriptor(), POLLIN, 0},
      {console_connection_ ? console_connection_->descriptor() : console_listener_.descriptor(), POLLIN, 0},
  }};
  while (::poll(sources.data(), sources.size(), look_around_ms) <= 0) interruption_point();
  if (sources[0].revents != 0) {
    if (clock_ != nullptr) return clock_->serve();
    clock_ = std::make_unique<TimeController>(time_listener_.accept(), time_of_day_);
    return join_clocks();
  }
  if (sources[1].revents != 0) {
    if (pci_connection_ != nullptr) return pci_connection_->serve();
    pci_connection_ = std::make_unique<VhostUser>(pci_listener_.accept(), PciTransport::queues,
                                                  [this](std::uint32_t queue) { kicked_pci(queue); });
    return pci_.connect(pci_connection_.get());
  }
  if (console_connection_ != nullptr) return console_connection_->serve();
  console_connection_ = std::make_unique<VhostUser>(console_listener_.accept(), Console::queues,
                                                    [this](std::uint32_t queue) { kicked_console(queue); });
  console_.connect(console_connection_.get());
}

void GuestMachine::await(int descriptor) {
  for (;;) {
    std::array<pollfd, 2> sources{{{descriptor, POLLIN, 0}, {clock_->descriptor(), POLLIN, 0}}};
    const int ready = ::poll(sources.data(), sources.size(), interrupt_taken_ms);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) throw GuestError("the kernel does not take note of an interrupt");
    if (sources[0].revents != 0) return;
    clock_->serve();
  }
}

TimeController& GuestMachine::running_clock() {
  if (clock_ == nullptr) throw GuestError("an access to a device before the clock's start");
  if (clock_->waits()) throw GuestError("an access to a device while the kernel waits");
  return *clock_;
}

void GuestMachine::kicked_pci(std::uint32_t queue) {
  TimeController& clock = running_clock();
  catch_up();
  pci_.kicked(queue, time_ == nullptr ? 0 : time_->now());
  clock.lower_free_until(free_until());
}

void GuestMachine::kicked_console(std::uint32_t queue) {
  TimeController& clock = running_clock();
  console_.kicked(queue);
  clock.lower_free_until(free_until());
}

void GuestMachine::catch_up() {
  if (time_ == nullptr) return;
  if (now() < joint_) throw GuestError("the kernel's clock goes back");
  run_drive_to(now());
}

void GuestMachine::run_drive_to(Nanoseconds time) {
  if (time_ == nullptr) return;
  const Tick end = tick_of(time);
  while (time_->now() < end) time_->run(end);
  pci_.answer_until(time_->now());
}

void GuestMachine::advance(Nanoseconds limit) {
  const Nanoseconds wanted = std::min({clock_->requested(), forever});
  // A cancelled call may have left the drive ahead of the guest, with an interrupt that is not delivered yet.
  Nanoseconds reached = time_ == nullptr ? now() : std::max(now(), nanoseconds_of(time_->now()));
  if (wants_delivery()) {
    run_drive_to(reached);
  } else if (wanted > reached) {
    reached = run_drive(std::min(wanted, limit));
  }
  clock_->set_now(reached);
  if (wants_delivery()) interrupt_guest();
  if (clock_->requested() > reached) return;
  ++turns_;
  clock_->run(free_until());
}

Nanoseconds GuestMachine::run_drive(Nanoseconds to) {
  if (time_ == nullptr) {
    if (to >= forever) throw GuestError("the kernel waits forever for a drive without power");
    joint_ = to;
    return to;
  }
  for (;;) {
    const Tick end = std::min(tick_of(to), pci_.next_answer());
    time_->run(end);
    pci_.answer_until(time_->now());
    if (wants_delivery()) {
      // The guest's next nanosecond, and all that happens until then.
      const Nanoseconds reached = nanoseconds_of(time_->now());
      run_drive_to(reached);
      return reached;
    }
    if (to < forever && time_->now() >= tick_of(to)) return to;
    if (time_->next_event() == never && pci_.next_answer() == never && to >= forever) {
      throw GuestError("the kernel waits forever, and the drive has nothing to do");
    }
  }
}

void GuestMachine::interrupt_guest() {
  const VhostUser::AwaitReadable await_readable = [this](int descriptor) { await(descriptor); };
  if (pci_.wants_delivery()) pci_.deliver(await_readable);
  if (console_.wants_delivery()) console_.deliver(await_readable);
}

}  // namespace nandscape::host::guest
