// SPDX-License-Identifier: Apache-2.0
// Chooses the reads of a page: the first read, and retries as long as it cannot be decoded.
//
// A policy chooses the sequence of reads; the page reader executes it. If the policy locks the die for retries,
// die_locked_retries.h executes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "controller/reading/step_order.h"
#include "core/registry.h"

namespace nandscape::controller {

// A read of a page.
struct ReadStep {
  std::uint8_t retry_step = 0;      // in the flash's retry table; 0 is its default levels
  std::uint8_t sensing_levels = 1;  // senses of each read level; 1 is a hard read
  bool adds_senses = false;         // to those of the previous read
  bool searches = false;            // part of a search for the levels with the fewest errors
};

// Stands for the errors of a read that were not counted.
inline constexpr std::uint16_t errors_not_known = 0xffff;

class ReadRecoveryPolicy {
 public:
  virtual ~ReadRecoveryPolicy() = default;

  // Returns read n of a page, counted from 0, or nothing when no step is left to try. Called once for each read.
  // `order` lists the steps of the retry table, with the one most likely to succeed first. By default each step is read
  // once.
  virtual std::optional<ReadStep> step(const StepOrder& order, unsigned n) const {
    if (n >= order.size()) return std::nullopt;
    return ReadStep{.retry_step = order[n]};
  }

  // Whether retries depend on the errors of the previous reads. If so, step_after() is called instead of step().
  virtual bool learns() const { return false; }
  // Returns the read that follows errors.size() reads. `errors` holds the errors of the worst codeword of each read, or
  // errors_not_known. They stand for quantities that a controller can count for an undecodable page, and that grow with
  // its errors: failed parity checks, or cells between two levels.
  virtual std::optional<ReadStep> step_after(const StepOrder& order, std::span<const std::uint16_t> errors) const {
    return step(order, static_cast<unsigned>(errors.size()));
  }

  // Whether pages are ever read again.
  virtual bool retries() const { return true; }
  // Whether a page whose first read fails locks its die until it is decoded.
  virtual bool locks_die() const { return false; }
  // With locks_die(): whether each step is sensed while the previous one is transferred and decoded.
  virtual bool pipelines() const { return false; }
  // With locks_die(): whether the precharge of the steps is shortened, as far as the read timing table allows.
  virtual bool adapts_timing() const { return false; }
  // Whether steps may use more than one sensing level.
  virtual bool reads_soft() const { return false; }
};

using ReadRecoveryRegistry = Registry<ReadRecoveryPolicy>;
ReadRecoveryRegistry& read_recovery_registry();

}  // namespace nandscape::controller
