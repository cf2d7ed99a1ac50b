// SPDX-License-Identifier: Apache-2.0
// Chooses the reads of a page: the first read, and retries as long as it cannot be decoded.
//
// A policy chooses the sequence of reads; the page reader executes it. If the policy locks the die for retries,
// die_locked_retries.h executes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/parameters.h"
#include "core/registry.h"
#include "protocol/sensing_levels.h"

namespace nandscape::controller {

// The order after the first step. outwards: the steps above and below it in turn, as if the memory were inexact.
// upwards: the steps above it first, as if it were outdated, since cells only lose charge.
enum class StepSearch : std::uint8_t { outwards, upwards };

// The order in which the steps of the retry table are tried: from the default levels up, or from a step at which
// similar pages were read before.
class StepOrder {
 public:
  StepOrder() = default;
  // The first read uses step `first`. The table has steps 1 to `last`; 0 is the default levels.
  StepOrder(std::uint8_t first, std::uint8_t last, StepSearch search = StepSearch::outwards)
      : first_(first), last_(last), search_(search) {}

  // The number of steps.
  unsigned size() const { return last_ + 1u; }

  // The n-th step, n < size(). Each step of 0 .. last occurs once, step `first` comes first.
  std::uint8_t operator[](unsigned n) const {
    if (n == 0) return first_;
    const unsigned below = first_;
    const unsigned above = last_ - first_;
    if (search_ == StepSearch::upwards) return static_cast<std::uint8_t>(n <= above ? first_ + n : last_ - n);
    // Pairs above and below while the table continues on both sides; then the rest of the longer side.
    const unsigned paired = 2 * (below < above ? below : above);
    if (n > paired) return static_cast<std::uint8_t>(below < above ? n : last_ - n);
    return static_cast<std::uint8_t>(n % 2 == 1 ? first_ + (n + 1) / 2 : first_ - n / 2);
  }

 private:
  std::uint8_t first_ = 0;
  std::uint8_t last_ = 0;
  StepSearch search_ = StepSearch::outwards;
};

// The recovery stage of a page read, from cheap to expensive.
enum class RecoveryStage : std::uint8_t {
  first_read,
  hard_retry,   // at another step of the retry table
  vref_search,  // at another step, to find the one with the fewest errors
  soft_2bit,    // with two or three sensing levels
  soft_3bit,    // with more sensing levels
  last_resort   // rebuilt from other pages
};
inline constexpr std::size_t recovery_stages = 6;

// The stage of a read after the first that is not part of a search.
constexpr RecoveryStage retry_stage(std::uint32_t sensing_levels) {
  const std::uint32_t bits = soft_bits(sensing_levels);
  return bits == 1 ? RecoveryStage::hard_retry : bits == 2 ? RecoveryStage::soft_2bit : RecoveryStage::soft_3bit;
}

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

// Configuration group `controller.read_retry`.
struct ReadRetryParameters {
  VariantChoice policy{"regular", nullptr};
  bool pso = false;
  StepSearch pso_search = StepSearch::outwards;
  std::string timing_table;

  // Properties of the policy.
  bool adapts_timing() const;
  bool reads_soft() const;
};
void describe(ReadRetryParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
