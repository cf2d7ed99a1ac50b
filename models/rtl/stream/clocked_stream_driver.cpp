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
  const Tick begin = calendar().now();
  for (std::uint64_t cycle = 0; cycle < reset_cycles; ++cycle) run_cycle({.reset = true, .in = {}}, begin, cycle);
  ready_ = begin + clock().span(reset_cycles);
  if (!idle()) start();
}

void ClockedStreamDriver::start() {
  const Tick begin = std::max(calendar().now(), ready_);
  transfer().begin(frames());
  while (!transfer().ended()) transfer().clock(run_cycle(transfer().inputs(), begin, transfer().cycles()));
  calendar().schedule<&ClockedStreamDriver::end>(begin + clock().span(transfer().cycles()), *this, ++run_);
}

ClockedStream::Outputs ClockedStreamDriver::run_cycle(const ClockedStream::Inputs& inputs, Tick begin,
                                                      std::uint64_t cycle) {
  if (observer_) [[unlikely]] {
    const Tick from = begin + clock().span(cycle);
    const Tick to = begin + clock().span(cycle + 1);
    if (from >= observed_) {
      observer_(from, to - from);
      observed_ = to;
    }
  }
  return design_->cycle(inputs);
}

void ClockedStreamDriver::end(std::uint64_t run) {
  if (run == run_) end_batch();
}

}  // namespace nandscape::rtl
