// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/last_reads.h"

#include <map>
#include <optional>
#include <vector>

namespace nandscape::controller {

void remember_last_reads(RecentSteps& recent, double age_share, const LayerSteps& step_of_layers,
                         const BlockTable& blocks, const BlockAges& ages) {
  // By age in hours. All blocks have the same number of cycles, and few ages differ.
  std::map<double, std::vector<std::optional<std::uint8_t>>> known;
  for (const Superblock block : blocks.geometry().every_block()) {
    if (!blocks.filled(block)) continue;
    BlockAge age = ages.of(block, 0);
    age.age_hours *= age_share;
    const auto [steps, is_new] = known.try_emplace(age.age_hours);
    if (is_new) steps->second = step_of_layers(age);
    for (std::uint32_t layer = 0; layer < steps->second.size(); ++layer) {
      if (const auto step = steps->second[layer]) recent.succeeded(block, layer, *step);
    }
  }
}

}  // namespace nandscape::controller
