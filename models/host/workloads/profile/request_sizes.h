// SPDX-License-Identifier: Apache-2.0
// Computes the size distributions of reads and writes from their means and the shares of size classes. Among all joint
// distributions of direction and size with these figures, it chooses the one of greatest entropy, which adds no other
// information. Within a class and a direction, shares fall (or rise) geometrically with the size, and all classes of a
// direction have the same ratio.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nandscape::host {

// Sizes in bytes; shares as fractions of 1.
struct SizeStatistics {
  double read_share = 0;
  double mean_read = 0;
  double mean_write = 0;
  std::vector<double> class_shares;  // shares of all requests; empty: unknown
  std::vector<double> class_bounds;  // largest size of each class but the last
  std::uint64_t step = 0;
  std::uint64_t largest = 0;
};

class SizeDistribution {
 public:
  // Size number k is (k + 1) steps. The sum of the shares must be above 0; it need not be 1.
  SizeDistribution(std::span<const double> shares, std::uint64_t step);

  // The quantile function: the smallest size whose cumulative share exceeds `quantile`, which is from 0 to 1.
  std::uint64_t at(double quantile) const;

 private:
  std::vector<double> up_to_;  // cumulative share of the sizes up to this one
  std::uint64_t step_;
};

struct RequestSizes {
  SizeDistribution reads;
  SizeDistribution writes;
};

// Throws std::domain_error, with the nearest possible means, if no distributions of sizes have all the figures. The
// mean of a direction without requests is ignored.
RequestSizes request_sizes(const SizeStatistics& statistics);

}  // namespace nandscape::host
