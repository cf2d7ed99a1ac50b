// SPDX-License-Identifier: Apache-2.0
// A histogram of the times for which sectors must be retained. It is exact at the times of Figure 9 of Liu, Yang and
// Wu, "Optimizing NAND Flash-Based SSDs via Retention Relaxation" (FAST 2012), and has ten bins per decade.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nandscape {

class RequirementHistogram {
 public:
  static constexpr std::uint64_t second_ns = 1'000'000'000;
  // One second, minute, hour, day and week.
  static constexpr std::array<std::uint64_t, 5> marks_ns{second_ns, 60 * second_ns, 3600 * second_ns, 86400 * second_ns,
                                                         604800 * second_ns};

  void add(std::uint64_t sectors, std::uint64_t requirement_ns);

  // For each of `marks_ns`, the number of sectors that must be retained for at most this time.
  const std::array<std::uint64_t, marks_ns.size()>& within() const { return within_; }

  // Bin k counts the requirements above the previous edge and up to edges_ns()[k]. The last bin counts the requirements
  // above all edges.
  static const std::vector<std::uint64_t>& edges_ns();
  const std::vector<std::uint64_t>& bins() const { return bins_; }

 private:
  std::array<std::uint64_t, marks_ns.size()> within_{};
  std::vector<std::uint64_t> bins_ = std::vector<std::uint64_t>(edges_ns().size() + 1);
};

}  // namespace nandscape
