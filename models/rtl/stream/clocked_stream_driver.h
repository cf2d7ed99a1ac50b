// SPDX-License-Identifier: Apache-2.0
// Clocks a design by function calls, without a clock on a wire. All cycles of a batch run when it begins; its end is an
// event of the calendar, after as many clock periods.
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

  // Called before each cycle with its beginning and its period, to record waves. The cycles of a batch are reported all
  // at once. After a reset cuts a batch off, cycles that begin before the end of a reported one are left out.
  using Observer = std::function<void(Tick begin, Tick period)>;
  void observe_cycles(Observer observer) { observer_ = std::move(observer); }

 private:
  void start() override;
  ClockedStream::Outputs run_cycle(const ClockedStream::Inputs& inputs, Tick begin, std::uint64_t cycle);
  void end(std::uint64_t run);

  const std::unique_ptr<ClockedStream> design_;
  Observer observer_;
  Tick observed_ = 0;      // end of the latest cycle reported to the observer
  Tick ready_ = 0;         // end of the reset
  std::uint64_t run_ = 0;  // number of the latest run; a reset cuts off earlier ones
};

}  // namespace nandscape::rtl
