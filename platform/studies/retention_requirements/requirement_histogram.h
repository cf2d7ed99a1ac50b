// SPDX-License-Identifier: Apache-2.0
// How many sectors have to be kept for how long: exact at the times of Figure 9 of the retention-relaxation paper (see
// retention_relaxation/error_rates.h), and ten bins to a decade.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nandscape {

class RequirementHistogram {
 public:
  static constexpr std::uint64_t second_ns = 1'000'000'000;
  // A second, a minute, an hour, a day, a week.
  static constexpr std::array<std::uint64_t, 5> marks_ns{second_ns, 60 * second_ns, 3600 * second_ns, 86400 * second_ns,
                                                         604800 * second_ns};

  void add(std::uint64_t sectors, std::uint64_t requirement_ns);

  // Sectors that have to be kept no longer than each mark.
  const std::array<std::uint64_t, marks_ns.size()>& within() const { return within_; }

  // Bin k holds requirements above the edge before it and up to edges_ns()[k]; the last one what is above all edges.
  static const std::vector<std::uint64_t>& edges_ns();
  const std::vector<std::uint64_t>& bins() const { return bins_; }

 private:
  std::array<std::uint64_t, marks_ns.size()> within_{};
  std::vector<std::uint64_t> bins_ = std::vector<std::uint64_t>(edges_ns().size() + 1);
};

}  // namespace nandscape
