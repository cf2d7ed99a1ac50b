// SPDX-License-Identifier: Apache-2.0
// All pages of a device at one condition: how many retry steps their reads take, and how many errors the worst of very
// many pages holds. Its wordlines are integrated over, layers and random parts of the variation, or those of a sample
// stand for all; errors are not drawn either way.
//
// Errors of a codeword are Poisson with the mean that the model gives for its page; a page is read when its worst
// codeword holds no more errors than the code corrects.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nand/cells/wordline_reads.h"
#include "nand/coding/coding.h"

namespace nandscape::nand {

struct CodewordLayout {
  std::uint32_t bits = 9216;  // of a codeword, its parity included
  std::uint32_t per_page = 16;
  std::uint32_t correctable = 72;

  // Probability that a page of that misread probability is read.
  double readable(double misread) const;
};

// Wordlines that are alike.
struct AlikeWordlines {
  double share = 1;  // of all
  std::uint32_t layer = 0;
  PageVariation variation;
  double later_programs = 0;  // as in CellCondition
};

// All wordlines of a device, as nodes of the integrals.
std::vector<AlikeWordlines> all_wordlines(const VariationParameters& variation);

class Population {
 public:
  // Finds the step at which each page is read. The shares add up to 1; the condition's own later programs do nothing.
  // Model and coding must outlive it.
  Population(const VthModel& model, const Coding& coding, const CellCondition& condition, const CodewordLayout& layout,
             std::span<const AlikeWordlines> wordlines);
  Population(const VthModel& model, const Coding& coding, const CellCondition& condition, const CodewordLayout& layout)
      : Population(model, coding, condition, layout, all_wordlines(model.parameters().variation)) {}

  // Probability of each number of retry steps, over all pages and page types; the last entry is that of failing at
  // every step of the table.
  const std::vector<double>& retry_steps() const { return retry_steps_; }
  // A read that fails counts as one step beyond the table.
  double mean_retry_steps() const;

  // The largest number of errors of a codeword in the final step among `pages` pages: the median of that maximum. The
  // final step is found with the standard times of a sense, and then read with `timing`.
  double most_errors(const SenseTiming& timing, double pages) const;
  double most_errors(double pages) const { return most_errors(model_.standard_timing(), pages); }
  // The same among so many pages that are not read by a plain read, whose times nobody changes. Where a plain read
  // reads all of them, among those.
  double most_errors_in_retries(const SenseTiming& timing, double pages) const;

  // Mean RBER of each layer in the final step, over page types and the random variation.
  std::vector<double> layer_error_rates() const;

 private:
  // Pages of one type in wordlines that are alike.
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
  // Among so many pages of those that were read at the step `from` or later.
  double most_errors(const SenseTiming& timing, double pages, std::uint32_t from) const;

  const VthModel& model_;
  const Coding& coding_;
  CellCondition condition_;
  CodewordLayout layout_;
  std::vector<Pages> pages_;
  std::vector<double> retry_steps_;
};

}  // namespace nandscape::nand
