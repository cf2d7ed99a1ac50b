// SPDX-License-Identifier: Apache-2.0
// Clocks a design by itself, without a clock on a wire: all cycles of a batch are run when it begins, and its end is an
// event of the calendar, so many periods later.
#pragma once

#include <memory>
#include <string>

#include "rtl/stream/clocked_stream.h"
#include "rtl/stream/stream_driver.h"

namespace nandscape::rtl {

class ClockedStreamDriver final : public StreamDriver {
 public:
  ClockedStreamDriver(std::string name, Calendar& calendar, const StreamTiming& timing,
                      std::unique_ptr<ClockedStream> design);

  void reset() override;

 private:
  void start() override;
  void end(std::uint64_t run);

  const std::unique_ptr<ClockedStream> design_;
  Tick ready_ = 0;         // when the reset is over
  std::uint64_t run_ = 0;  // the latest one; a reset cuts off those before
};

}  // namespace nandscape::rtl
