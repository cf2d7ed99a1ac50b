// SPDX-License-Identifier: Apache-2.0
// Sizes of reads and writes of which only means and shares of classes are known. Of all joint distributions of
// direction and size that have them this is the one of the greatest entropy, which adds nothing that is not known:
// within a class and a direction, shares fall (or rise) geometrically with the size, in all classes of a direction by
// the same ratio.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nandscape::host {

// In bytes, and as parts of 1.
struct SizeStatistics {
  double read_share = 0;
  double mean_read = 0;
  double mean_write = 0;
  std::vector<double> class_shares;  // of all requests; empty: not known
  std::vector<double> class_bounds;  // largest size of each class but the last
  std::uint64_t step = 0;
  std::uint64_t largest = 0;
};

class SizeDistribution {
 public:
  // Size number k is (k + 1) steps. The shares need not add up to 1, but not to 0.
  SizeDistribution(std::span<const double> shares, std::uint64_t step);

  // The size that the share `quantile` of the requests do not reach, or are at; from 0 up to 1.
  std::uint64_t at(double quantile) const;

 private:
  std::vector<double> up_to_;  // share of the sizes up to this one
  std::uint64_t step_;
};

struct RequestSizes {
  SizeDistribution reads;
  SizeDistribution writes;
};

// Throws std::domain_error, which tells what comes nearest, where no sizes have all that is asked for. A direction that
// has no share of the requests is free.
RequestSizes request_sizes(const SizeStatistics& statistics);

}  // namespace nandscape::host
