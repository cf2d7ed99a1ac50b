// SPDX-License-Identifier: Apache-2.0
// Chooses the reads of a page: the first read, and retries as long as it cannot be decoded.
//
// A policy answers one question, next(): it sees the page with its reads so far, and names the next one. The page
// reader executes the reads, or die_locked_retries.h if retries lock their die.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "controller/mapping/block_age.h"
#include "core/archive.h"
#include "core/parameters.h"
#include "core/registry.h"

namespace nandscape::controller {

// The order of the steps after the first. outwards: the steps above and below the first in turn, which suits an inexact
// memory. upwards: the steps above it first, which suits an outdated memory, since cells only lose charge.
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

  // The n-th step, n < size(). Each step from 0 to `last` occurs once, and `first` comes first.
  std::uint8_t operator[](std::size_t n) const {
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

// The recovery stage of a page read, from cheap to expensive. A policy may add stages of its own.
enum class RecoveryStage : std::uint8_t {
  first_read,
  hard_retry,   // at another step of the retry table
  vref_search,  // at another step, to find the one with the fewest errors
  soft_2bit,    // with two or three sensing levels
  soft_3bit,    // with more sensing levels
  last_resort,  // rebuilt from other pages
  own,          // the first stage that the policy names; the others follow
  by_levels = 0xff
};

// The k-th of RecoveryNeeds::stages.
constexpr RecoveryStage own_stage(std::size_t k) {
  return static_cast<RecoveryStage>(static_cast<std::size_t>(RecoveryStage::own) + k);
}

// A read of a page, as a policy chooses it.
struct ReadStep {
  int retry_step = 0;        // in the flash's retry table; 0 is its default levels
  int sensing_levels = 1;    // senses of each read level; 1 is a hard read
  bool adds_senses = false;  // adds its senses to those of the previous read
  // The next read is chosen, and sensed, while this one is transferred and decoded. Has no effect on the first read.
  bool pipelined = false;
  // The stage under which the read is counted. by_levels stands for first_read, or for the stage of retries with that
  // number of sensing levels.
  RecoveryStage stage = RecoveryStage::by_levels;

  // The stage of a retry.
  RecoveryStage retry_stage() const;
};

enum class ReadResult : std::uint8_t {
  undecided,  // the read is under way, or was replaced before it was sent
  uncorrectable,
  decoded
};

// The number of errors of a read whose errors were not counted.
inline constexpr std::uint16_t errors_not_known = 0xffff;

// A read that has been chosen.
struct ReadAttempt {
  ReadStep step;
  // Errors of the worst codeword. They stand for quantities that a controller can count for an undecodable page and
  // that grow with its errors, such as failed parity checks or cells between two levels.
  std::uint16_t errors = errors_not_known;
  ReadResult result = ReadResult::undecided;
};

struct PagePlace {
  std::uint32_t channel = 0;
  std::uint32_t die = 0;       // numbered over the device
  std::uint32_t plane = 0;     // numbered over the device
  std::uint32_t block = 0;     // numbered within the plane
  std::uint32_t page = 0;      // numbered within the block
  std::uint32_t wordline = 0;  // numbered within the block
  std::uint32_t layer = 0;
  std::uint32_t type = 0;  // number of the page in its wordline; 0 is the lowest bit
};

// A page, as a policy sees it.
class PageUnderRecovery {
 public:
  PageUnderRecovery(const StepOrder& steps, std::span<const ReadAttempt> reads) : order(steps), attempts(reads) {}

  // The place is determined only when a policy asks for it, since most pages are read once.
  virtual PagePlace place() const = 0;
  virtual BlockAge age() const = 0;  // age of its block

  // The steps of the retry table, with the one most likely to succeed first.
  const StepOrder& order;
  // The reads so far.
  const std::span<const ReadAttempt> attempts;

 protected:
  ~PageUnderRecovery() = default;
};

// A stage of a policy, in the statistics.
struct StageName {
  std::string name;
  std::string meaning;
};

inline constexpr std::size_t most_own_stages = 32;

// Facts about a policy that the drive must know before the first read.
struct RecoveryNeeds {
  // A page whose first read fails keeps its die to itself until it is decoded. Other policies queue each retry like any
  // other read.
  bool locks_die = false;
  // The precharge of retries is shortened, as far as the read timing table allows. The precharge is a feature of the
  // whole die, so this needs locks_die. If no retry succeeds, all are made again at the default timing.
  bool adapts_timing = false;
  bool reads_soft = false;          // reads may have more than one sensing level
  bool oracle = false;              // reads at best_levels; no page is ever read again
  std::vector<StageName> stages{};  // stages that only this policy has
};

// The stages that every drive has, indexed by RecoveryStage.
std::span<const StageName> known_stages();

class ReadRecoveryPolicy {
 public:
  virtual ~ReadRecoveryPolicy() = default;

  virtual RecoveryNeeds needs() const { return {}; }
  // Returns the next read of the page, or nothing to give the page up. Called once for each read. If the policy gives
  // up at once, the page is read at the default levels.
  virtual std::optional<ReadStep> next(const PageUnderRecovery& page) = 0;
  // A read that next() chose was decoded. Later reads may be undecided.
  virtual void succeeded(const PageUnderRecovery& /*page*/) {}
  virtual void persist(Archive& /*archive*/) {}
};

using ReadRecoveryRegistry = Registry<ReadRecoveryPolicy>;
ReadRecoveryRegistry& read_recovery_registry();

// Calls a policy and checks its needs and its answers. Error messages begin with the policy's name.
class ReadRecovery {
 public:
  // Throws ConfigError if the needs of the policy contradict each other.
  explicit ReadRecovery(const VariantChoice& policy);

  const std::string& name() const { return name_; }
  const RecoveryNeeds& needs() const { return needs_; }
  // Throws Error if the drive cannot make the read.
  std::optional<ReadStep> next(const PageUnderRecovery& page) {
    std::optional<ReadStep> step = policy_->next(page);
    if (step && !is_plain(*step, page)) [[unlikely]]
      check(*step, page);
    return step;
  }
  void succeeded(const PageUnderRecovery& page) { policy_->succeeded(page); }
  void persist(Archive& archive) { policy_->persist(archive); }

 private:
  // Whether the step is a hard read at a step of the retry table, as every policy may choose it.
  static bool is_plain(const ReadStep& step, const PageUnderRecovery& page) {
    return step.sensing_levels == 1 && !step.adds_senses && !step.pipelined && step.stage == RecoveryStage::by_levels &&
           static_cast<unsigned>(step.retry_step) < page.order.size() && page.attempts.size() <= page.order.size();
  }
  void check(const ReadStep& step, const PageUnderRecovery& page) const;
  [[noreturn]] void refuse(const std::string& answer, const std::string& instead) const;

  const std::string name_;
  const std::unique_ptr<ReadRecoveryPolicy> policy_;
  const RecoveryNeeds needs_;
};

// Configuration group `controller.read_retry`.
struct ReadRetryParameters {
  VariantChoice policy{"regular", nullptr};
  bool pso = false;
  StepSearch pso_search = StepSearch::outwards;
  std::string timing_table;

  // Returns the needs of the policy. Throws ConfigError if they contradict each other.
  RecoveryNeeds needs() const { return ReadRecovery(policy).needs(); }
};
void describe(ReadRetryParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
