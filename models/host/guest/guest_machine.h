// SPDX-License-Identifier: Apache-2.0
// A user-mode Linux whose clock, PCI bus and console belong to the simulation. It connects to three sockets:
//
//   time     external time controller     time_controller.h
//   pci      virtual PCI bus              pci_transport.h, over vhost_user.h
//   console  lines of text                console.h, over vhost_user.h
//
// The guest and the drive take turns. While the guest waits, the calendar runs to the guest's next request or to the
// next interrupt. While the guest runs, the calendar stands still. The guest may run until the calendar's next event
// without asking, and each access brings the calendar to the time of the access. So the guest accesses the drive, and
// is interrupted, at the simulated time of its own clock, whose unit is 1 ns. An interrupt arrives at the next whole
// nanosecond.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/ticks.h"
#include "host/guest/console.h"
#include "host/guest/pci_transport.h"
#include "host/guest/stream_socket.h"
#include "host/guest/time_controller.h"
#include "host/guest/vhost_user.h"

namespace nandscape::host::guest {

// The simulated time of the drive.
class DriveTime {
 public:
  virtual Tick now() const = 0;
  // The time of the next event, or `never`.
  virtual Tick next_event() const = 0;
  // Runs events up to and including the time `limit`; the clock is then at `limit`. Returns earlier if stop() is
  // called.
  virtual void run(Tick limit) = 0;
  // Called by an event. run() returns after this event.
  virtual void stop() = 0;

 protected:
  ~DriveTime() = default;
};

struct GuestSockets {
  std::string time;
  std::string pci;
  std::string console;
};

class GuestMachine final : private PciTransport::InterruptListener {
 public:
  // Listens at the sockets. Simulated time stands still until run() is called.
  explicit GuestMachine(const GuestSockets& sockets, Nanoseconds time_of_day);

  // The guest's side of the PCI function.
  PciHost& host() { return pci_; }
  // Connects the drive: its PCI function and its time. A drive without power has neither; the guest's clock then goes
  // on alone.
  void attach(PciFunction& function, DriveTime& time);
  void detach();

  // Ends of run(): the guest has sent a line; its clock has reached the limit; its kernel has ended.
  enum class End { line, limit, gone };
  // Runs the guest and the drive until one of these ends, and then to the guest's next wait. The time between two calls
  // does not pass for the guest. Throws GuestError if the guest breaks a protocol, or if it and the drive wait for each
  // other. May throw Interrupted; a later call then continues.
  End run(Nanoseconds limit = no_time);

  void send(const std::string& line) { console_.send(line); }
  std::optional<std::string> take_line() { return console_.take_line(); }

  // The guest's clock.
  Nanoseconds now() const { return clock_ ? clock_->now() : 0; }
  const PciTransport::Counters& counters() const { return pci_.counters(); }
  // How often the guest has waited and was let run again.
  std::uint64_t turns() const { return turns_; }
  // Why run() has returned End::gone.
  const std::string& last_words() const { return last_words_; }

 private:
  void interrupt_arrived() override {
    if (time_ != nullptr) time_->stop();
  }

  End run_to_end(Nanoseconds limit);
  // Serves one message, or a few.
  void serve();
  // Waits for a descriptor, and serves the guest's clock meanwhile.
  void await(int descriptor);
  // Lets time pass for a waiting guest, and then lets the guest run unless the limit comes first.
  void advance(Nanoseconds limit);
  // Runs the drive up to the guest's time `to`, and returns the time reached: `to`, or that of an interrupt.
  Nanoseconds run_drive(Nanoseconds to);
  // Runs the drive up to the guest's time `time`, over all interrupts.
  void run_drive_to(Nanoseconds time);
  void interrupt_guest();
  bool wants_delivery() { return pci_.wants_delivery() || console_.wants_delivery(); }
  void kicked_pci(std::uint32_t queue);
  void kicked_console(std::uint32_t queue);
  TimeController& running_clock();
  // Brings the drive to the time of the running guest.
  void catch_up();
  // The time up to which the guest may run without asking.
  Nanoseconds free_until();

  // The guest's time and the drive's pass together, from a common point on.
  void join_clocks();
  Tick tick_of(Nanoseconds time) const;
  Nanoseconds nanoseconds_of(Tick time) const;  // rounds up

  Listener time_listener_, pci_listener_, console_listener_;
  const Nanoseconds time_of_day_;
  std::unique_ptr<TimeController> clock_;
  std::unique_ptr<VhostUser> pci_connection_, console_connection_;
  PciTransport pci_;
  Console console_;
  DriveTime* time_ = nullptr;  // null: the drive has no power
  Nanoseconds joint_ = 0;      // the common point
  Tick joint_tick_ = 0;
  Tick left_at_ = 0;             // the drive's time when run() last ended
  Nanoseconds limit_ = no_time;  // of the present run()
  std::uint64_t turns_ = 0;
  std::string last_words_;
};

}  // namespace nandscape::host::guest
