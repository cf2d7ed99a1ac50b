// SPDX-License-Identifier: Apache-2.0
// An ECC engine that corrects up to 40 errors per codeword, and ends its jobs one at a time when a test says so.
#pragma once

#include <deque>
#include <functional>

#include "controller/flash_ops/flash_io.h"

namespace nandscape::controller {

struct FakeEcc final : EccPort {
  static constexpr std::uint32_t correctable_bits = 40;

  void submit(ChannelId, EccJob& job) override { jobs.push_back(&job); }
  // Ends the oldest job. Returns false if there is none.
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

  // These return the errors in the worst codeword of a decoded page, and whether the page is uncorrectable. If one is
  // null, the errors of the job decide.
  std::function<std::uint32_t(const FlashOp&)> worst_errors;
  std::function<bool(const FlashOp&)> uncorrectable;
  std::deque<EccJob*> jobs;
};

}  // namespace nandscape::controller
