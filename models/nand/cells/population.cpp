// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/population.h"

#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

namespace nandscape {

namespace {

struct NormalNode {
  double z;
  double weight;
};

// A normal variate cut off on both sides; equal steps, with which the trapezoidal rule is exact for practical purposes.
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

// P(X > m) of a Poisson variate, continued to any real m.
double poisson_above(double m, double mean) { return mean == 0 ? 0 : boost::math::gamma_p(m + 1, mean); }

}  // namespace

Population::Population(const VthModel& model, const Coding& coding, CodewordLayout layout)
    : model_(model), coding_(coding), layout_(layout) {
  const VariationParameters& v = model.parameters().variation;
  const std::vector<NormalNode> single = {{0, 1}};
  const std::vector<NormalNode> widths = v.width_sigma > 0 ? truncated_normal(0.5) : single;
  const std::vector<NormalNode> shifts = v.shift_sigma > 0 ? truncated_normal(0.25) : single;
  for (std::uint32_t layer = 0; layer < v.layers; ++layer) {
    const double profile = layer_profile(layer, v.layers);
    for (const NormalNode& width : widths) {
      for (const NormalNode& shift : shifts) {
        nodes_.push_back({width.weight * shift.weight / v.layers, layer, page_variation(v, profile, width.z, shift.z)});
      }
    }
  }
}

double Population::misread(std::uint32_t page_type, const CellCondition& c, const PageVariation& page,
                           std::uint32_t step, const SenseTiming& timing) const {
  return model_.misread(coding_, page_type, model_.states(coding_, c, page), model_.levels(coding_, c, page, step), c,
                        page, timing);
}

double Population::readable(double misread) const {
  return std::pow(1 - poisson_above(layout_.correctable, layout_.bits * misread), layout_.per_page);
}

std::vector<double> Population::retry_steps(const CellCondition& c) const {
  const std::uint32_t last = model_.parameters().read_levels.retry_steps;
  std::vector<double> probability(last + 2, 0.0);
  for (const Node& node : nodes_) {
    for (std::uint32_t type = 0; type < coding_.pages(); ++type) {
      double unread = node.probability / coding_.pages();
      for (std::uint32_t step = 0; step <= last && unread > 1e-15; ++step) {
        const double read = unread * readable(misread(type, c, node.page, step, model_.standard_timing()));
        probability[step] += read;
        unread -= read;
      }
      probability[last + 1] += unread;
    }
  }
  return probability;
}

Population::FinalStep Population::final_step(std::uint32_t page_type, const CellCondition& c,
                                             const PageVariation& page) const {
  const std::uint32_t last = model_.parameters().read_levels.retry_steps;
  for (std::uint32_t step = 0;; ++step) {
    const double p = misread(page_type, c, page, step, model_.standard_timing());
    if (readable(p) >= 0.5 || step == last) return {step, layout_.bits * p};
  }
}

double Population::most_errors(const CellCondition& c, const SenseTiming& timing, double pages) const {
  // Each node's pages hold codewords of one mean; the maximum of all is below m with the product of the probabilities.
  struct Weighted {
    double codewords;
    double mean;
  };
  std::vector<Weighted> all;
  for (const Node& node : nodes_) {
    for (std::uint32_t type = 0; type < coding_.pages(); ++type) {
      const std::uint32_t step = final_step(type, c, node.page).step;
      all.push_back({node.probability / coding_.pages() * pages * layout_.per_page,
                     layout_.bits * misread(type, c, node.page, step, timing)});
    }
  }
  const auto expected_above = [&](double m) {
    double sum = 0;
    for (const Weighted& w : all) sum += w.codewords * poisson_above(m, w.mean);
    return sum - std::log(2.0);
  };
  if (expected_above(0) <= 0) return 0;
  double high = 1;
  while (expected_above(high) > 0) high *= 2;
  std::uintmax_t iterations = 60;
  const auto tolerance = [](double a, double b) { return b - a < 1e-3; };
  const auto [a, b] = boost::math::tools::toms748_solve(expected_above, 0.0, high, tolerance, iterations);
  return 0.5 * (a + b);
}

std::vector<double> Population::layer_error_rates(const CellCondition& c) const {
  std::vector<double> rates(model_.parameters().variation.layers, 0.0);
  for (const Node& node : nodes_) {
    for (std::uint32_t type = 0; type < coding_.pages(); ++type) {
      const double errors = final_step(type, c, node.page).codeword_errors;
      rates[node.layer] +=
          node.probability * static_cast<double>(rates.size()) * errors / layout_.bits / coding_.pages();
    }
  }
  return rates;
}

}  // namespace nandscape
