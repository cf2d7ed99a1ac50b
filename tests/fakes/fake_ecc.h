// SPDX-License-Identifier: Apache-2.0
// A fake ECC engine that corrects up to 40 errors per codeword. It completes one job at a time, when a test calls
// answer().
#pragma once

#include <deque>
#include <functional>

#include "controller/flash_ops/flash_io.h"

namespace nandscape::controller {

struct FakeEcc final : EccPort {
  static constexpr std::uint32_t correctable_bits = 40;

  void submit(ChannelId, EccJob& job) override { jobs.push_back(&job); }
  // Completes the oldest job. Returns false if there is no job.
  bool answer(Tick now) {
    if (jobs.empty()) return false;
    EccJob& job = *jobs.front();
    jobs.pop_front();
    FlashOp& op = *static_cast<FlashOp*>(job.owner);
    if (worst_errors) job.worst_codeword_errors = worst_errors(op);
    const bool fails = uncorrectable ? uncorrectable(op) : job.worst_codeword_errors > correctable_bits;
    job.uncorrectable = job.kind == EccKind::decode && fails;
    op.coded(now);
    return true;
  }

  // Functions of the test that return the number of errors in the worst codeword of a decoded page, and whether the
  // page is uncorrectable. Where a function is null, the number of errors in the job determines the result.
  std::function<std::uint32_t(const FlashOp&)> worst_errors;
  std::function<bool(const FlashOp&)> uncorrectable;
  std::deque<EccJob*> jobs;
};

}  // namespace nandscape::controller
