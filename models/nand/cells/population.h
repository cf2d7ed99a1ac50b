// SPDX-License-Identifier: Apache-2.0
// All pages of a device at one condition: how many retry steps their reads take, and how many errors the worst of very
// many pages holds. Integrals over the layers and over the random parts of the variation, so nothing is sampled.
//
// Errors of a codeword are Poisson with the mean that the model gives for its page; a page is read when its worst
// codeword holds no more errors than the code corrects.
#pragma once

#include <cstdint>
#include <vector>

#include "nand/cells/vth_model.h"

namespace nandscape {

struct CodewordLayout {
  std::uint32_t bits = 9216;  // of a codeword, its parity included
  std::uint32_t per_page = 16;
  std::uint32_t correctable = 72;
};

class Population {
 public:
  Population(const VthModel& model, const Coding& coding, CodewordLayout layout);

  // Probability of each number of retry steps, over all pages and page types; the last entry is that of failing at
  // every step of the table.
  std::vector<double> retry_steps(const CellCondition& condition) const;

  // Mean errors of a codeword in the step at which the page is first readable, by page type, for one page.
  struct FinalStep {
    std::uint32_t step = 0;
    double codeword_errors = 0;
  };
  FinalStep final_step(std::uint32_t page_type, const CellCondition& condition, const PageVariation& page) const;

  // The largest number of errors of a codeword in the final step among `pages` pages: the median of that maximum. The
  // final step is found with the standard times of a sense, and then read with `timing`.
  double most_errors(const CellCondition& condition, const SenseTiming& timing, double pages) const;

  // Mean RBER of each layer in the final step, over page types and the random variation.
  std::vector<double> layer_error_rates(const CellCondition& condition) const;

 private:
  struct Node {
    double probability;
    std::uint32_t layer;
    PageVariation page;
  };

  double misread(std::uint32_t page_type, const CellCondition& condition, const PageVariation& page, std::uint32_t step,
                 const SenseTiming& timing) const;
  // Probability that a page of that misread probability is read.
  double readable(double misread) const;

  const VthModel& model_;
  const Coding& coding_;
  CodewordLayout layout_;
  std::vector<Node> nodes_;
};

}  // namespace nandscape
