// SPDX-License-Identifier: Apache-2.0
// Runs the clock cycles of a design by function calls, without a clock signal. All cycles of a batch are computed when
// the batch begins. The end of the batch is an event of the calendar, which occurs after the corresponding number of
// clock periods.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "rtl/stream/clocked_stream.h"
#include "rtl/stream/stream_driver.h"

namespace nandscape::rtl {

class ClockedStreamDriver final : public StreamDriver {
 public:
  ClockedStreamDriver(std::string name, Calendar& calendar, const StreamTiming& timing,
                      std::unique_ptr<ClockedStream> design);

  void reset() override;

  // Called before each cycle, with the time at which the cycle begins and its period, for example to record waves. The
  // cycles of a batch are all reported when the batch begins. If a reset interrupts the batch, cycles after the reset
  // are not reported as long as they overlap with cycles that were already reported.
  using Observer = std::function<void(Tick begin, Tick period)>;
  void observe_cycles(Observer observer) { observer_ = std::move(observer); }

 private:
  void start() override;
  ClockedStream::Outputs run_cycle(const ClockedStream::Inputs& inputs, Tick begin, std::uint64_t cycle);
  void end(std::uint64_t run);

  const std::unique_ptr<ClockedStream> design_;
  Observer observer_;
  Tick observed_ = 0;      // end of the latest cycle that was reported to the observer
  Tick ready_ = 0;         // end of the reset
  std::uint64_t run_ = 0;  // number of the latest run; earlier runs were interrupted by a reset
};

}  // namespace nandscape::rtl
