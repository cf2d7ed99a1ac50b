// SPDX-License-Identifier: Apache-2.0
// Computes the size distributions of reads and writes from their mean sizes and the shares of size classes. Many joint
// distributions of direction and size have these figures. The function chooses the one with the greatest entropy,
// because it contains no other information. In this distribution, the shares within a class and a direction fall (or
// rise) geometrically with the size, and all classes of a direction have the same ratio.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nandscape::host {

// The known figures. Sizes are in bytes, and shares are fractions of 1.
struct SizeStatistics {
  double read_share = 0;
  double mean_read = 0;
  double mean_write = 0;
  std::vector<double> class_shares;  // shares of all requests; empty: unknown
  std::vector<double> class_bounds;  // largest size of each class except the last
  std::uint64_t step = 0;
  std::uint64_t largest = 0;
};

class SizeDistribution {
 public:
  // `shares` contains the share of each size; element k belongs to the size (k + 1) * step. The sum of the shares must
  // be greater than 0 but need not be 1.
  SizeDistribution(std::span<const double> shares, std::uint64_t step);

  // The quantile function. Returns the smallest size whose cumulative share exceeds `quantile`, which must be from 0 to
  // 1.
  std::uint64_t at(double quantile) const;

 private:
  std::vector<double> up_to_;  // cumulative share: element k is the sum of the shares 0 to k
  std::uint64_t step_;
};

struct RequestSizes {
  SizeDistribution reads;
  SizeDistribution writes;
};

// Throws std::domain_error if no size distributions have all of the figures; the message contains the nearest possible
// means. The mean size of a direction without requests is ignored.
RequestSizes request_sizes(const SizeStatistics& statistics);

}  // namespace nandscape::host
