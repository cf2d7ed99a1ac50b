// SPDX-License-Identifier: Apache-2.0
// The measurements of a simulation: the records of its requests, its measured window with warm-up and rounds
// (measured_window.h, rounds.h), and the statistics computed from them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/statistics.h"
#include "core/value.h"
#include "platform/simulation/measured_window.h"
#include "platform/simulation/power_cycles.h"
#include "platform/simulation/request_recorder.h"
#include "platform/simulation/rounds.h"
#include "platform/simulation/simulation.h"
#include "platform/simulation/steady_state.h"

namespace nandscape {

class Measurement {
 public:
  // Both arguments must outlive this object.
  Measurement(const PlatformParameters& parameters, PowerCycles& cycles);

  RequestRecorder& recorder() { return recorder_; }
  const RequestRecorder& recorder() const { return recorder_; }

  // --- the window

  // Called when the workloads begin. `end` says when the run ends. Throws ConfigError if simulation.steady.figure is
  // not a statistic of the drive.
  void begin(RunEnd end);
  // Called when a request of a workload ends at the time `now`.
  void request_ended(Tick now) {
    if (window_is_due(now)) look_at_window(now);
  }
  // Returns whether request_ended() must be called for a request that ends now.
  bool window_is_due(Tick now) const { return warming_ || now >= rounds_.next(); }
  void workloads_ended();
  // Called when the user issues commands after the workloads. The window is extended to include them.
  void reopen() { window_.reopen(); }
  // Discards the window. A new window is then open, as after construction.
  void start_over() { window_ = {}; }
  // Called when the supply has failed. Stores the present counters, from which statistics are computed until the next
  // power cycle.
  void keep_moment() { last_ = moment(); }
  void add_wall_time(double seconds) { wall_s_ += seconds; }

  // --- statistics; see simulation.h

  Value statistics(Window window) const;
  Steadiness steadiness() const;
  Value statistics_reference() const;

 private:
  Moment moment() const;
  Value figures(const Moment* begin, const Moment& end) const;
  // Ends the current round and the warm-up if their time has come.
  void look_at_window(Tick now);
  bool warmed_up(Tick now) const;
  // Returns whether a workload is open-loop. The request rate is then given by the times of its requests and does not
  // depend on the drive.
  bool rate_is_given() const;

  const PlatformParameters& parameters_;
  PowerCycles& cycles_;
  RequestRecorder recorder_;
  MeasuredWindow window_;
  Rounds rounds_;
  const SteadyState steady_state_;
  bool warming_ = false;  // the workloads have started, but the measured window has not begun yet
  bool ends_when_steady_ = false;
  Tick workloads_began_ = 0;
  Moment last_;  // the counters at the latest loss of power
  double wall_s_ = 0;
};

}  // namespace nandscape
