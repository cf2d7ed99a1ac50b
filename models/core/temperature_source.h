// SPDX-License-Identifier: Apache-2.0
// The temperature of the flash while the drive runs. A drive has one source. The cells use it for every sense and for
// the age of their data, the controller for its clock and for the ages of blocks, and the front end for the SMART log
// and the temperature threshold.
//
// Ages are counted at the configured temperature, `nand.condition.temperature_c`. aged() converts simulated time to the
// time in which data would age equally at the configured temperature.
//
// A source schedules no events, since they would keep a simulation without other work going. Instead, the controller
// calls look() at the first access after the source is due.
#pragma once

#include <vector>

#include "core/archive.h"
#include "core/component.h"
#include "core/ticks.h"

namespace nandscape {

class TemperatureListener {
 public:
  // Called when the temperature differs by about one kelvin or more from that at the last call.
  virtual void temperature_changed(Tick now) = 0;

 protected:
  ~TemperatureListener() = default;
};

struct TemperatureExtremes {
  double lowest = 0;
  double highest = 0;
};

class TemperatureSource : public Component {
 public:
  virtual ~TemperatureSource() = default;

  virtual double celsius(Tick now) const = 0;
  // The lowest and the highest temperature that celsius() may return, as far as the source knows before it runs.
  virtual TemperatureExtremes extremes() const = 0;
  // The time at the configured temperature in which data age as much as in the simulated time until `now`. It never
  // decreases; it stops at the largest value that ticks can hold.
  virtual Tick aged(Tick now) const = 0;
  // The time at which aged() reaches `aged`, as far as the source knows its future; `never` if that is too far away.
  virtual Tick when_aged(Tick aged) const = 0;

  void subscribe(TemperatureListener& listener, Tick now) {
    listeners_.push_back(&listener);
    due_ = update(now);
  }
  bool due(Tick now) const { return now >= due_; }
  // Call when the source is due. Updates it and notifies its listeners.
  void look(Tick now) {
    due_ = update(now);
    for (TemperatureListener* const listener : listeners_) listener->temperature_changed(now);
  }

  // A source with a state of its own saves that as well.
  void persist(Archive& archive) override { archive(due_); }

 protected:
  // Updates the source's own state. Returns the time at which the temperature will have changed by one kelvin, or at
  // which update() must look again; `never` if the temperature is constant.
  virtual Tick update(Tick /*now*/) { return never; }

 private:
  std::vector<TemperatureListener*> listeners_;
  Tick due_ = never;
};

// Always the configured temperature.
class ConstantTemperature : public TemperatureSource {
 public:
  explicit ConstantTemperature(double celsius) : celsius_(celsius) {}
  double celsius(Tick) const final { return celsius_; }
  TemperatureExtremes extremes() const final { return {celsius_, celsius_}; }
  Tick aged(Tick now) const final { return now; }
  Tick when_aged(Tick aged) const final { return aged; }

 private:
  double celsius_;
};

}  // namespace nandscape
