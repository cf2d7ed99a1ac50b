// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/population.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <utility>

#include "core/interruption.h"

namespace nandscape::nand {

namespace {

struct NormalNode {
  double z;
  double weight;
};

// Returns the nodes and weights for integrals over a normal variate that is truncated on both sides. For equal steps,
// the trapezoidal rule is practically exact.
std::vector<NormalNode> truncated_normal(double step) {
  std::vector<NormalNode> nodes;
  double sum = 0;
  for (double z = -variation_cutoff; z <= variation_cutoff + step / 2; z += step) {
    const bool end = std::abs(z) > variation_cutoff - step / 2;
    nodes.push_back({z, std::exp(-0.5 * z * z) * (end ? 0.5 : 1)});
    sum += nodes.back().weight;
  }
  for (NormalNode& node : nodes) node.weight /= sum;
  return nodes;
}

struct Codewords {
  double count;
  double mean;  // mean of their errors
};

// Merges codewords whose mean numbers of errors are nearly equal, because there are tens of thousands of nodes. Merging
// means within 0.5 % changes the maximum by less than a hundredth of an error.
std::vector<Codewords> merged(std::vector<Codewords> all) {
  std::ranges::sort(all, {}, &Codewords::mean);
  std::vector<Codewords> groups;
  double lowest = 0;  // lowest mean of the current group
  for (const Codewords& c : all) {
    if (groups.empty() || c.mean > 1.005 * lowest) {
      groups.push_back(c);
      lowest = c.mean;
      continue;
    }
    Codewords& group = groups.back();
    group.mean = (group.count * group.mean + c.count * c.mean) / (group.count + c.count);
    group.count += c.count;
  }
  return groups;
}

// Returns P(X > m) for a Poisson variate X, extended to real values of m.
double poisson_above(double m, double mean) { return mean == 0 ? 0 : boost::math::gamma_p(m + 1, mean); }

}  // namespace

double CodewordLayout::readable(double misread) const {
  return std::pow(1 - poisson_above(correctable, bits * misread), per_page);
}

std::vector<AlikeWordlines> all_wordlines(const VariationParameters& v) {
  const std::vector<NormalNode> single = {{0, 1}};
  const std::vector<NormalNode> widths = v.width_sigma > 0 ? truncated_normal(1) : single;
  const std::vector<NormalNode> shifts = v.shift_sigma > 0 ? truncated_normal(0.5) : single;
  std::vector<AlikeWordlines> wordlines;
  for (std::uint32_t layer = 0; layer < v.layers; ++layer) {
    const double profile = layer_profile(layer, v.layers);
    for (const NormalNode& width : widths) {
      for (const NormalNode& shift : shifts) {
        wordlines.push_back(
            {width.weight * shift.weight / v.layers, layer, page_variation(v, profile, width.z, shift.z)});
      }
    }
  }
  return wordlines;
}

Population::Population(const VthModel& model, const Coding& coding, const CellCondition& condition,
                       const CodewordLayout& layout, std::span<const AlikeWordlines> wordlines)
    : model_(model),
      coding_(coding),
      condition_(condition),
      layout_(layout),
      retry_steps_(model.parameters().read_levels.retry_steps + 2, 0.0) {
  for (const AlikeWordlines& alike : wordlines) {
    interruption_point();
    CellCondition of_wordline = condition;
    of_wordline.later_programs = alike.later_programs;
    const WordlineReads wordline(model, coding, of_wordline, alike.variation);
    for (std::uint32_t type = 0; type < coding.pages(); ++type) {
      add(wordline, alike.share / coding.pages(), alike.layer, type);
    }
  }
}

void Population::add(const WordlineReads& wordline, double probability, std::uint32_t layer, std::uint32_t type) {
  const auto last = static_cast<std::uint32_t>(retry_steps_.size() - 2);
  const double by_sensing = wordline.misread_by_sensing(type, model_.standard_timing());
  double unread = probability;
  // The final step is the first retry step at which the page can be read with a probability of at least 1/2. If there
  // is no such step, it is the last one.
  double final_by_vth = 0;
  std::uint32_t final_step = 0;
  bool found = false;
  for (std::uint32_t step = 0; step <= last && unread > 1e-14; ++step) {
    const double by_vth = wordline.misread_by_vth(type, wordline.levels(step));
    const double readable = layout_.readable(std::min(by_vth + by_sensing, 0.5));
    if (!found) {
      final_by_vth = by_vth;
      final_step = step;
    }
    found = found || readable >= 0.5;
    retry_steps_[step] += unread * readable;
    unread -= unread * readable;
  }
  retry_steps_[last + 1] += unread;
  pages_.push_back({probability, layer, type, final_step, wordline.drift(), final_by_vth, by_sensing});
}

double Population::mean_retry_steps() const {
  double sum = 0;
  for (std::size_t n = 0; n < retry_steps_.size(); ++n) sum += static_cast<double>(n) * retry_steps_[n];
  return sum;
}

double Population::most_errors(const SenseTiming& timing, double pages) const { return most_errors(timing, pages, 0); }

double Population::most_errors_in_retries(const SenseTiming& timing, double pages) const {
  const bool retried = std::ranges::any_of(pages_, [](const Pages& p) { return p.final_step > 0; });
  return most_errors(timing, pages, retried ? 1 : 0);
}

double Population::most_errors(const SenseTiming& timing, double pages, std::uint32_t from) const {
  double share = 0;
  for (const Pages& p : pages_) {
    if (p.final_step >= from) share += p.probability;
  }
  // The probability that the largest number of errors is below m is the product of the probabilities of all codewords.
  std::vector<Codewords> all;
  for (const Pages& p : pages_) {
    if (p.final_step < from) continue;
    const double by_sensing = misread_by_sensing(model_.parameters().sensing, coding_, p.type, timing,
                                                 model_.standard_timing(), condition_, p.drift);
    all.push_back({p.probability / share * pages * layout_.per_page,
                   layout_.bits * std::min(p.misread_by_vth + by_sensing, 0.5)});
  }
  all = merged(std::move(all));
  const auto expected_above = [&](double m) {
    interruption_point();
    double sum = 0;
    for (const Codewords& c : all) sum += c.count * poisson_above(m, c.mean);
    return sum - std::log(2.0);
  };
  if (expected_above(0) <= 0) return 0;
  double high = 1;
  while (expected_above(high) > 0) high *= 2;
  std::uintmax_t iterations = 60;
  const auto tolerance = [](double a, double b) { return b - a < 1e-3; };
  const auto [a, b] =
      boost::math::tools::toms748_solve(expected_above, high / 2 < 1 ? 0.0 : high / 2, high, tolerance, iterations);
  return 0.5 * (a + b);
}

std::vector<double> Population::layer_error_rates() const {
  std::vector<double> rates(model_.parameters().variation.layers, 0.0);
  for (const Pages& p : pages_) {
    rates[p.layer] += p.probability * static_cast<double>(rates.size()) * (p.misread_by_vth + p.misread_by_sensing);
  }
  return rates;
}

}  // namespace nandscape::nand
