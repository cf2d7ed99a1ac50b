// SPDX-License-Identifier: Apache-2.0
// Read-recovery policies. A policy chooses the reads of a page: the first read, and the retries as long as the page
// cannot be decoded.
//
// A policy implements next(), which receives the page and its previous reads, and returns the next read. The reads are
// executed by the page reader (page_reader.h), or by die_locked_retries.h if retries lock their die.
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
#include "protocol/sensing_levels.h"

namespace nandscape::controller {

// The order in which the retry steps after the first step are tried. `outwards` alternates between the steps above and
// below the first step. This suits a first step that may be wrong in either direction. `upwards` begins with all steps
// above the first step. This suits a first step that was recorded some time ago, because cells only lose charge.
enum class StepSearch : std::uint8_t { outwards, upwards };

// The order in which the steps of the retry table are tried. It begins with step 0, the default levels, or with a step
// with which similar pages have been read before.
class StepOrder {
 public:
  StepOrder() = default;
  // The first read uses step `first`. The retry table has the steps 0 to `last`; step 0 stands for the default read
  // levels.
  StepOrder(std::uint8_t first, std::uint8_t last, StepSearch search = StepSearch::outwards)
      : first_(first), last_(last), search_(search) {}

  // Sets the step of the first read, which a start step predictor gives (start_step.h).
  void begin_with(std::uint8_t first) { first_ = first; }

  // The number of steps, including step 0.
  unsigned size() const { return last_ + 1u; }

  // Returns the n-th step, counted from 0. `n` must be less than size(). Each step from 0 to `last` occurs once in the
  // order.
  std::uint8_t operator[](std::size_t n) const {
    if (n == 0) return first_;
    const unsigned below = first_;
    const unsigned above = last_ - first_;
    if (search_ == StepSearch::upwards) return static_cast<std::uint8_t>(n <= above ? first_ + n : last_ - n);
    // Alternates between a step above and a step below `first` while the table has steps on both sides. The remaining
    // steps of the longer side follow.
    const unsigned paired = 2 * (below < above ? below : above);
    if (n > paired) return static_cast<std::uint8_t>(below < above ? n : last_ - n);
    return static_cast<std::uint8_t>(n % 2 == 1 ? first_ + (n + 1) / 2 : first_ - n / 2);
  }

 private:
  std::uint8_t first_ = 0;
  std::uint8_t last_ = 0;
  StepSearch search_ = StepSearch::outwards;
};

// The recovery stages of a page read, in the order of increasing cost. Statistics count the reads of each stage. A
// policy may define additional stages.
enum class RecoveryStage : std::uint8_t {
  first_read,
  hard_retry,   // hard read at another step of the retry table
  vref_search,  // hard read at another step, to find the step with the fewest errors
  soft_2bit,    // soft read with two or three sensing levels
  soft_3bit,    // soft read with four or more sensing levels
  last_resort,  // the page is rebuilt from other pages
  own,          // the first stage that the policy defines; its other stages have the following numbers
  by_levels = 0xff
};

// Returns the stage that is defined by the entry k of RecoveryNeeds::stages.
constexpr RecoveryStage own_stage(std::size_t k) {
  return static_cast<RecoveryStage>(static_cast<std::size_t>(RecoveryStage::own) + k);
}

// A read of a page that a policy has chosen.
struct ReadStep {
  int retry_step = 0;        // step of the flash's retry table; 0 is the default levels
  int sensing_levels = 1;    // number of senses at each read level; 1 is a hard read
  bool adds_senses = false;  // makes only the senses that the previous read has not made, and uses those as well
  // If set, the next read is already chosen and sensed while this read is transferred and decoded. Has no effect on the
  // first read of a page.
  bool pipelined = false;
  // The stage in which the read is counted. `by_levels` means `first_read` for the first read of a page, and for a
  // retry the stage that corresponds to its number of sensing levels.
  RecoveryStage stage = RecoveryStage::by_levels;

  // Returns the stage in which the read is counted if it is a retry.
  RecoveryStage retry_stage() const {
    if (stage != RecoveryStage::by_levels) return stage;
    const std::uint32_t bits = soft_bits(static_cast<std::uint32_t>(sensing_levels));
    return bits == 1 ? RecoveryStage::hard_retry : bits == 2 ? RecoveryStage::soft_2bit : RecoveryStage::soft_3bit;
  }
};

enum class ReadResult : std::uint8_t {
  undecided,  // the read is in progress, or was replaced before it was sent
  uncorrectable,
  decoded
};

// The value of ReadAttempt::errors if the errors of the read have not been counted.
inline constexpr std::uint16_t errors_not_known = 0xffff;

// A read of a page that a policy has chosen, and its result.
struct ReadAttempt {
  ReadStep step;
  // The number of errors in the worst codeword. A real controller does not know this number for a page that it cannot
  // decode. The number represents quantities that a controller can count and that grow with the number of errors, for
  // example failed parity checks or cells between two levels.
  std::uint16_t errors = errors_not_known;
  ReadResult result = ReadResult::undecided;
};

struct PagePlace {
  std::uint32_t channel = 0;
  std::uint32_t die = 0;         // numbered over the device
  std::uint32_t plane = 0;       // numbered over the device
  std::uint32_t block = 0;       // numbered within the plane
  std::uint32_t superblock = 0;  // of the mapping, to which the block belongs; numbered over the device
  std::uint32_t page = 0;        // numbered within the block
  std::uint32_t wordline = 0;    // numbered within the block
  std::uint32_t layer = 0;
  std::uint32_t type = 0;  // number of the page in its wordline; 0 is the page of the least significant bits
};

// The information about a page that is available to a policy.
class PageUnderRecovery {
 public:
  PageUnderRecovery() = default;
  PageUnderRecovery(const StepOrder& steps, std::span<const ReadAttempt> reads) : order(steps), attempts(reads) {}

  // Returns the location of the page. It is computed only when a policy calls this function, because most pages are
  // read only once and do not need it.
  virtual PagePlace place() const = 0;
  virtual BlockAge age() const = 0;  // age, wear and reads of the page's block; computed when it is called

  // Returns the read that has been decoded, with its step and errors, or null if none has been decoded yet. It need not
  // be the last one: a pipelined read is followed by others before its result is known.
  const ReadAttempt* decoded() const {
    for (const ReadAttempt& attempt : attempts) {
      if (attempt.result == ReadResult::decoded) return &attempt;
    }
    return nullptr;
  }

  // The order in which the steps of the retry table should be tried. The first step is the most likely to succeed.
  StepOrder order;
  // The reads of the page that have been chosen so far.
  std::span<const ReadAttempt> attempts;

 protected:
  ~PageUnderRecovery() = default;
};

// The name and the description of a recovery stage in the statistics.
struct StageName {
  std::string name;
  std::string meaning;
};

inline constexpr std::size_t most_own_stages = 32;

// The properties of a policy that the drive must know before the first read.
struct RecoveryNeeds {
  // If the first read of a page fails, the die is locked for this page until the page is decoded. If not set, each
  // retry is enqueued like any other read.
  bool locks_die = false;
  // The precharge of retries is shortened as far as the read-timing table permits. This requires `locks_die`, because
  // the precharge is a setting of the whole die. If no retry succeeds, all retries are repeated with the default
  // timing.
  bool adapts_timing = false;
  // The first read of a page is always a hard read at the first step of the order, and the policy ignores succeeded().
  // The drive then need not call the policy for pages that need no retry.
  bool only_retries = false;
  bool reads_soft = false;          // the policy may choose reads with more than one sensing level
  bool oracle = false;              // reads at best_levels, and never repeats a read
  std::vector<StageName> stages{};  // stages that only this policy defines
};

// Returns the stages that exist with every policy, indexed by RecoveryStage.
std::span<const StageName> known_stages();

class ReadRecoveryPolicy {
 public:
  virtual ~ReadRecoveryPolicy() = default;

  virtual RecoveryNeeds needs() const { return {}; }
  // Returns the next read of the page, or nothing to give up. Called once for each read (see
  // RecoveryNeeds::only_retries for the first read). If the first call returns nothing, the page is read once at the
  // default levels.
  virtual std::optional<ReadStep> next(const PageUnderRecovery& page) = 0;
  // Called when a read that next() has chosen has been decoded: page.decoded(). Reads that were chosen after it may
  // still be undecided.
  virtual void succeeded(const PageUnderRecovery& /*page*/) {}
  virtual void persist(Archive& /*archive*/) {}
};

using ReadRecoveryRegistry = Registry<ReadRecoveryPolicy>;
ReadRecoveryRegistry& read_recovery_registry();

// Calls a policy, and checks its needs and the reads that it chooses. Error messages begin with the name of the policy.
class ReadRecovery {
 public:
  // Throws ConfigError if the needs of the policy contradict each other.
  explicit ReadRecovery(const VariantChoice& policy);

  const std::string& name() const { return name_; }
  const RecoveryNeeds& needs() const { return needs_; }
  // Returns the next read that the policy chooses, or nothing if it gives up. Throws Error if the drive cannot perform
  // this read.
  std::optional<ReadStep> next(const PageUnderRecovery& page) {
    const std::optional<ReadStep> step = policy_->next(page);
    if (step && !is_plain(*step, page)) [[unlikely]]
      check(*step, page);
    return step;
  }
  void succeeded(const PageUnderRecovery& page) { policy_->succeeded(page); }
  void persist(Archive& archive) { policy_->persist(archive); }

 private:
  // Returns whether the read is an ordinary hard read at a step of the retry table. Every policy may choose such a
  // read, so the complete check is not needed.
  static bool is_plain(ReadStep step, const PageUnderRecovery& page) {
    return step.sensing_levels == 1 && !step.adds_senses && !step.pipelined && step.stage == RecoveryStage::by_levels &&
           static_cast<unsigned>(step.retry_step) < page.order.size() && page.attempts.size() <= page.order.size();
  }
  void check(ReadStep step, const PageUnderRecovery& page) const;
  [[noreturn]] void refuse(const std::string& answer, const std::string& instead) const;

  const std::string name_;
  const std::unique_ptr<ReadRecoveryPolicy> policy_;
  const RecoveryNeeds needs_;
};

// The configuration group `controller.read_retry`.
struct ReadRetryParameters {
  VariantChoice policy{"regular", nullptr};
  VariantChoice start{"default_levels", nullptr};
  StepSearch step_order = StepSearch::outwards;
  std::string timing_table;

  // Returns the needs of the policy. Throws ConfigError if they contradict each other.
  RecoveryNeeds needs() const { return ReadRecovery(policy).needs(); }
  // Whether reads may start at other levels than the default ones.
  bool predicts_start() const;
};
void describe(ReadRetryParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
