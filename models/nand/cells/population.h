// SPDX-License-Identifier: Apache-2.0
// All pages of a device at one condition: the distribution of retry steps, and the number of errors in the worst of
// very many pages. The results are integrals over the layers and the random parts of the variation, or sums over a
// given sample of wordlines. No errors are drawn.
//
// The errors of a codeword are Poisson with the mean that the model gives for its page. A page is readable if its worst
// codeword has no more errors than the code corrects.
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

  // Probability that a page with that misread probability is readable.
  double readable(double misread) const;
};

// A group of wordlines with equal properties.
struct AlikeWordlines {
  double share = 1;  // share of all wordlines
  std::uint32_t layer = 0;
  PageVariation variation;
  double later_programs = 0;  // as in CellCondition
};

// All wordlines of a device, as nodes of the integrals.
std::vector<AlikeWordlines> all_wordlines(const VariationParameters& variation);

class Population {
 public:
  // Finds the step at which each page is readable. The shares of the wordlines must add up to 1; `later_programs` of
  // the condition is ignored. Model and coding must outlive the population.
  Population(const VthModel& model, const Coding& coding, const CellCondition& condition, const CodewordLayout& layout,
             std::span<const AlikeWordlines> wordlines);
  Population(const VthModel& model, const Coding& coding, const CellCondition& condition, const CodewordLayout& layout)
      : Population(model, coding, condition, layout, all_wordlines(model.parameters().variation)) {}

  // Probability of each number of retry steps, over all pages and page types. The last entry is the probability that
  // every step of the table fails.
  const std::vector<double>& retry_steps() const { return retry_steps_; }
  // A failed read counts as one step more than the table has.
  double mean_retry_steps() const;

  // Returns the median of the largest number of errors that any codeword of `pages` pages has in the page's final step.
  // The final step is found with the standard sense times and then read with `timing`.
  double most_errors(const SenseTiming& timing, double pages) const;
  double most_errors(double pages) const { return most_errors(model_.standard_timing(), pages); }
  // Like most_errors(), but among pages that need a retry: `timing` applies to retries only, plain reads keep their
  // times. If no page needs a retry, all pages count.
  double most_errors_in_retries(const SenseTiming& timing, double pages) const;

  // Mean RBER of each layer in the final step, averaged over page types and the random variation.
  std::vector<double> layer_error_rates() const;

 private:
  // Pages of one type in equal wordlines.
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
  // The same median for pages whose final step is `from` or later.
  double most_errors(const SenseTiming& timing, double pages, std::uint32_t from) const;

  const VthModel& model_;
  const Coding& coding_;
  CellCondition condition_;
  CodewordLayout layout_;
  std::vector<Pages> pages_;
  std::vector<double> retry_steps_;
};

}  // namespace nandscape::nand
