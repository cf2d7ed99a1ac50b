// SPDX-License-Identifier: Apache-2.0
// Runs simulated time: up to a limit, until no event is left, or until the object for which the current call waits has
// arrived.
#pragma once

#include <functional>

#include "platform/blocks/drive.h"
#include "platform/simulation/host_traffic.h"
#include "platform/wiring/calendar_module.h"

namespace nandscape {

class EventLoop final : public SimulatedTime {
 public:
  // All arguments must outlive this object.
  EventLoop(PowerCycles& cycles, Measurement& measurement, HostTraffic& traffic, Ownership& ownership)
      : cycles_(cycles), measurement_(measurement), traffic_(traffic), ownership_(ownership) {}

  // Implementation of SimulatedTime.
  Tick now() const override { return cycles_.now(); }
  void run(Tick limit) override { run_events(limit); }
  void stop() override { cycles_.calendar().stop(); }

  // Runs events up to the time `limit`. Returns earlier if no event is left, if `awaited` has arrived, or if the
  // progress callback ends the run; in the last case, returns false. Throws Interrupted when the call is cancelled. An
  // unexpected exception of user code stops the drive in the middle of an event, and all later calls throw
  // RequestError.
  bool run_events(Tick limit, const ProgressCallback& progress = {}, const void* awaited = nullptr);
  // Runs events until `awaited` has arrived. Throws std::logic_error with the message `complaint` if `done` still
  // returns false afterwards.
  void run_until_done(const std::function<bool()>& done, const void* awaited, const char* complaint);
  // Lets the driver bring up the controller, which is necessary before the first command after each power-up. Throws
  // RequestError if the drive has no power.
  void bring_up();
  // Lets the driver reset the controller and bring it up again.
  void reset_controller();
  void power_ended() { coming_up_ = stopped_midway_ = false; }

 private:
  // Runs events up to the time `limit`. Returns earlier if no event is left, or if the watch ends the run.
  void run_watched(Tick limit, CalendarModule::Watch watch);

  PowerCycles& cycles_;
  Measurement& measurement_;
  HostTraffic& traffic_;
  Ownership& ownership_;
  bool coming_up_ = false;       // the driver has begun to bring up the controller
  bool stopped_midway_ = false;  // an exception of user code has stopped the drive in the middle of an event
};

}  // namespace nandscape
