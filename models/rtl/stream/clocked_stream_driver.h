// SPDX-License-Identifier: Apache-2.0
// Clocks a design by itself, without a clock on a wire: all cycles of a batch are run when it begins, and its end is an
// event of the calendar, so many periods later.
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

  // Called before each cycle with the tick at which it begins and its length, for waves. The cycles of a batch come all
  // at once; those that a reset lets happen at an earlier time than ones before are left out.
  using Observer = std::function<void(Tick begin, Tick period)>;
  void observe_cycles(Observer observer) { observer_ = std::move(observer); }

 private:
  void start() override;
  ClockedStream::Outputs run_cycle(const ClockedStream::Inputs& inputs, Tick begin, std::uint64_t cycle);
  void end(std::uint64_t run);

  const std::unique_ptr<ClockedStream> design_;
  Observer observer_;
  Tick observed_ = 0;      // until then
  Tick ready_ = 0;         // when the reset is over
  std::uint64_t run_ = 0;  // the latest one; a reset cuts off those before
};

}  // namespace nandscape::rtl
