// SPDX-License-Identifier: Apache-2.0
// Measures the power of the drive in windows of controller.power.window_ms, and tells the drive how much heat it has
// made in each window.
//
// The events of the monitor must not keep a simulation running that has no other work. The monitor therefore pauses
// when no other event is left, and resume() continues it. The window then covers the time of the pause, too.
#pragma once

#include "core/archive.h"
#include "core/calendar.h"
#include "core/ticks.h"
#include "platform/blocks/drive.h"
#include "platform/config/parameters.h"

namespace nandscape {

class HostModule;

class PowerMonitor {
 public:
  struct Temperatures {
    double flash = 0;
    double housing = 0;
  };

  // All arguments must outlive this object. `timeline` is null if none is recorded.
  PowerMonitor(const PlatformParameters& parameters, Drive& drive, const HostModule& host, Calendar& calendar,
               Timeline* timeline);

  // Must be called before events are run. Schedules the end of the window unless it is scheduled already.
  void resume();

  // Returns the highest mean power of a window, or 0 if no window has ended.
  double peak_w() const { return peak_w_; }
  Temperatures now_c() const;
  Temperatures highest_c() const;

  // Saves or restores the state, which survives a power cycle.
  void persist(Archive& archive);

 private:
  // The energy that has been drawn up to a time.
  struct Drawn {
    Tick at = 0;
    double supply_j = 0;
    double packages_j = 0;
  };

  Drawn drawn() const;
  void window_ended();
  // Records the power of the window that begins at `begin`, and the temperatures at its end.
  void record(Tick begin, double watts);
  // Returns whether there is work that will run events.
  bool others_pend() const { return !calendar_.empty() || calendar_.held(); }

  const PlatformParameters& parameters_;
  Drive& drive_;
  const HostModule& host_;
  Calendar& calendar_;
  Timeline* const timeline_;
  const bool used_;
  const Tick window_;
  bool scheduled_ = false;
  Drawn last_;
  double peak_w_ = 0;
  Temperatures highest_;
};

}  // namespace nandscape
