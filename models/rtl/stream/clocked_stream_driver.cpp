// SPDX-License-Identifier: Apache-2.0
#include "rtl/stream/clocked_stream_driver.h"

#include <algorithm>
#include <utility>

namespace nandscape::rtl {

ClockedStreamDriver::ClockedStreamDriver(std::string name, Calendar& calendar, const StreamTiming& timing,
                                         std::unique_ptr<ClockedStream> design)
    : StreamDriver(std::move(name), calendar, timing), design_(std::move(design)) {
  ClockedStreamDriver::reset();
}

void ClockedStreamDriver::reset() {
  for (std::uint64_t cycle = 0; cycle < reset_cycles; ++cycle) design_->cycle({.reset = true, .in = {}});
  ready_ = calendar().now() + clock().span(reset_cycles);
  if (!idle()) start();
}

void ClockedStreamDriver::start() {
  const Tick begin = std::max(calendar().now(), ready_);
  transfer().begin(frames());
  while (!transfer().ended()) transfer().clock(design_->cycle(transfer().inputs()));
  calendar().schedule<&ClockedStreamDriver::end>(begin + clock().span(transfer().cycles()), *this, ++run_);
}

void ClockedStreamDriver::end(std::uint64_t run) {
  if (run == run_) end_batch();
}

}  // namespace nandscape::rtl
