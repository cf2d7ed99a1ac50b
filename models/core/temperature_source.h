// SPDX-License-Identifier: Apache-2.0
// The temperature of the flash while the drive runs. A drive has one temperature source. The cells use it for every
// sense and for the age of their data. The controller uses it for its clock and for the ages of blocks. The front end
// uses it for the SMART log and the temperature threshold.
//
// Ages are counted at the configured temperature, `nand.condition.temperature_c`. aged() converts simulated time to an
// equivalent time at the configured temperature, in which data would age by the same amount.
//
// A source may follow the power of the drive. The platform then tells it, at the end of each sampling period, how much
// energy has become heat.
//
// A source schedules no events, because the events would keep a simulation running that has no other work. Instead, the
// controller calls look() at the first access after the source is due to be updated.
#pragma once

#include <vector>

#include "core/archive.h"
#include "core/component.h"
#include "core/ticks.h"

namespace nandscape {

class TemperatureListener {
 public:
  // Called when the temperature differs by about one kelvin or more from the temperature at the last call.
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
  // The lowest and the highest temperature that celsius() may return, as far as the source can predict them.
  virtual TemperatureExtremes extremes() const = 0;
  // Returns the time at the configured temperature in which data age as much as in the simulated time from 0 to `now`.
  // The result never decreases as `now` grows. It is limited to the largest value of Tick.
  virtual Tick aged(Tick now) const = 0;
  // Returns the time at which aged() reaches `aged`, as far as the source can predict it, or `never` if that time is
  // too far in the future.
  virtual Tick when_aged(Tick aged) const = 0;

  // The energy that became heat in a period: in the packages of the flash, and in the rest of the drive.
  struct Heat {
    double packages_j = 0;
    double rest_j = 0;
  };
  // Whether the temperature depends on the heat of the drive.
  virtual bool follows_power() const { return false; }
  // Called at the end of each period, with the heat since the last call.
  virtual void take_heat(const Heat&, Tick /*now*/) {}
  // Called for a period that is not simulated, in which the drive draws no power.
  virtual void cool(double /*hours*/) {}
  // The temperature of the rest of the drive, which is that of the flash unless the source distinguishes them.
  virtual double case_celsius(Tick now) const { return celsius(now); }

  void subscribe(TemperatureListener& listener, Tick now) {
    listeners_.push_back(&listener);
    due_ = update(now);
  }
  bool due(Tick now) const { return now >= due_; }
  // Updates the source and notifies its listeners. Call this function when due() returns true.
  void look(Tick now) {
    due_ = update(now);
    for (TemperatureListener* const listener : listeners_) listener->temperature_changed(now);
  }

  // A derived source with its own state overrides this function and saves its state in addition.
  void persist(Archive& archive) override { archive(due_); }

 protected:
  // Updates the state of the derived source. Returns the time of the next update, which is due when the temperature
  // will have changed by one kelvin or at the latest when the source needs it. Returns `never` if the temperature is
  // constant.
  virtual Tick update(Tick /*now*/) { return never; }
  // Returns the first tick at which aged() has reached `target`, by bisection, or `never` if there is no such tick.
  Tick search_aged(Tick target) const {
    Tick low = 0, high = never - 1;
    if (aged(high) < target) return never;
    while (low < high) {
      const Tick middle = low + (high - low) / 2;
      if (aged(middle) < target) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

 private:
  std::vector<TemperatureListener*> listeners_;
  Tick due_ = never;
};

// A source whose temperature is always the configured one.
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
