// SPDX-License-Identifier: Apache-2.0
// How a page is read, and read again as long as it cannot be decoded. Variants: none, regular, soft,
// recovery_flow, pr2, ar2, pnar2, each in its file in policies/.
//
// A policy says which reads of a page follow one another; the page reader makes them. Where retries have their die to
// themselves, the policy says so, and die_locked_retries.h makes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "controller/reading/step_order.h"
#include "core/registry.h"

namespace nandscape::controller {

// One read of a page.
struct ReadStep {
  std::uint8_t retry_step = 0;      // of the flash's retry table; 0 are its default levels
  std::uint8_t sensing_levels = 1;  // senses of each read level; 1 is a hard read
  bool adds_senses = false;         // to those that the read before it has made of the page
  bool searches = false;            // for the levels at which the page errs least
};

// Of a read whose errors nobody has counted.
inline constexpr std::uint16_t errors_not_known = 0xffff;

class ReadRecoveryPolicy {
 public:
  virtual ~ReadRecoveryPolicy() = default;

  // The n-th read of a page, from 0 on; none when there is nothing left to try. Asked once for each read. `order` names
  // the steps of the retry table, the one that is most likely to succeed first. Unless a policy says otherwise, each
  // step once.
  virtual std::optional<ReadStep> step(const StepOrder& order, unsigned n) const {
    if (n >= order.size()) return std::nullopt;
    return ReadStep{.retry_step = order[n]};
  }

  // Retries depend on what the reads before them have found: `step_after` is asked in the place of `step`.
  virtual bool learns() const { return false; }
  // The read of a page that follows so many. `errors` are those of the worst codeword of each, or errors_not_known.
  // They stand for what a controller counts of a page that it cannot decode: parity checks that do not hold, or cells
  // between two levels. Both grow with the errors.
  virtual std::optional<ReadStep> step_after(const StepOrder& order, std::span<const std::uint16_t> errors) const {
    return step(order, static_cast<unsigned>(errors.size()));
  }

  // Whether a page is read again at all.
  virtual bool retries() const { return true; }
  // A page whose first read fails has its die to itself until it is decoded.
  virtual bool locks_die() const { return false; }
  // Of these: each step is sensed while the one before it moves out and is decoded.
  virtual bool pipelines() const { return false; }
  // Of these: the precharge of the steps is shortened, as far as the table of read times allows.
  virtual bool adapts_timing() const { return false; }
  // Steps may take more than one sensing level.
  virtual bool reads_soft() const { return false; }
};

using ReadRecoveryRegistry = Registry<ReadRecoveryPolicy>;
const ReadRecoveryRegistry& read_recovery_registry();

}  // namespace nandscape::controller
