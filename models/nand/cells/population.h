// SPDX-License-Identifier: Apache-2.0
// Computes statistics of all pages of a device at one condition: the distribution of the number of retry steps, and the
// number of errors in the worst of a very large number of pages. The results are integrals over the layers and over the
// random variation, or sums over a given sample of wordlines. No random numbers are used.
//
// The number of errors in a codeword has a Poisson distribution, whose mean is given by the cell model. A page is
// readable if its worst codeword does not have more errors than the code corrects.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nand/cells/wordline_reads.h"
#include "nand/coding/coding.h"

namespace nandscape::nand {

struct CodewordLayout {
  std::uint32_t bits = 9216;  // codeword bits, parity included
  std::uint32_t per_page = 16;
  std::uint32_t correctable = 72;

  // Returns the probability that a page is readable if each of its bits is misread with probability `misread`.
  double readable(double misread) const;
};

// A group of wordlines with equal properties. It represents a share of all wordlines.
struct AlikeWordlines {
  double share = 1;  // share of all wordlines
  std::uint32_t layer = 0;
  PageVariation variation;
  double later_programs = 0;  // as in CellCondition
};

// Returns groups that represent all wordlines of a device. They are the nodes of the integrals.
std::vector<AlikeWordlines> all_wordlines(const VariationParameters& variation);

class Population {
 public:
  // Finds the retry step at which each page is readable. The shares of `wordlines` must add up to 1. `later_programs`
  // of the condition is ignored, because each group of wordlines has its own value. Model and coding must outlive the
  // population.
  Population(const VthModel& model, const Coding& coding, const CellCondition& condition, const CodewordLayout& layout,
             std::span<const AlikeWordlines> wordlines);
  Population(const VthModel& model, const Coding& coding, const CellCondition& condition, const CodewordLayout& layout)
      : Population(model, coding, condition, layout, all_wordlines(model.parameters().variation)) {}

  // Returns the probability of each number of retry steps, over all pages and page types. The last entry is the
  // probability that all steps of the table fail.
  const std::vector<double>& retry_steps() const { return retry_steps_; }
  // Returns the mean number of retry steps. A read that fails at all steps counts as one step more than the table has.
  double mean_retry_steps() const;

  // Takes the largest number of errors of any codeword in `pages` pages, each read in its final step, and returns the
  // median of this random number. The final step is determined with the standard sense times, and the page is then read
  // with `timing`.
  double most_errors(const SenseTiming& timing, double pages) const;
  double most_errors(double pages) const { return most_errors(model_.standard_timing(), pages); }
  // Like most_errors(), but only for pages that need a retry, because `timing` is used only for retries and other reads
  // use the standard times. If no page needs a retry, all pages are included.
  double most_errors_in_retries(const SenseTiming& timing, double pages) const;

  // Returns the mean RBER of each layer in the final step, averaged over page types and the random variation.
  std::vector<double> layer_error_rates() const;

 private:
  // The pages of one type in a group of equal wordlines.
  struct Pages {
    double probability;
    std::uint32_t layer;
    std::uint32_t type;
    std::uint32_t final_step;
    double drift;
    double misread_by_vth;  // in the final step
    double misread_by_sensing;
  };

  void add(const WordlineReads& wordline, double probability, std::uint32_t layer, std::uint32_t type);
  // Like the public function, but only for pages whose final step is `from` or later.
  double most_errors(const SenseTiming& timing, double pages, std::uint32_t from) const;

  const VthModel& model_;
  const Coding& coding_;
  CellCondition condition_;
  CodewordLayout layout_;
  std::vector<Pages> pages_;
  std::vector<double> retry_steps_;
};

}  // namespace nandscape::nand
