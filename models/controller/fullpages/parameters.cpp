// SPDX-License-Identifier: Apache-2.0
#include "controller/fullpages/parameters.h"

#include <array>
#include <string>
#include <utility>

#include "core/error.h"

namespace nandscape::controller {

void describe(FullpageParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.spread(), {"layer_groups", "borrowed_parity_bytes", "wait_ms", "precondition_percent"},
              "allocation is in_one_page");
  v.choice("allocation", p.allocation,
           {{"in_one_page", "one flash page"},
            {"fpa",
             "four pages in different layers; the weakest borrows parity from the strongest: layer-aware "
             "fullpage allocation"}},
           "place of four mapping units that fill a flash page and are written together");
  v.reals("layer_groups", p.layer_groups, {0, layer_quarters - 1}, "",
          "quarter of the layers, counted from the lowest, for each of the four units with fpa; the third lends parity "
          "to the fourth");
  v.integer("borrowed_parity_bytes", p.borrowed_parity_bytes, {1, 65536}, "bytes",
            "parity of a codeword of the fourth unit that is, with fpa, in the spare bytes of a codeword of the third");
  v.real("wait_ms", p.wait_ms, {0, 1e6}, "ms",
         "with fpa, wait of such units for others to fill the pages that they share, on all planes of a die if "
         "controller.scheduler.multi_plane is on; afterwards, fullpages that fill none are written into one page each");
  v.integer("precondition_percent", p.precondition_percent, {0, 100}, "percent",
            "share of a preconditioned device's data that were written in fullpages, evenly over the addresses");
}

std::vector<std::int32_t> parity_of_codes(const FullpageParameters& p) {
  if (!p.spread()) return {};
  const auto borrowed = static_cast<std::int32_t>(p.borrowed_parity_bytes);
  std::vector<std::int32_t> more(2);
  more[less_parity_code - 1] = -borrowed;
  more[more_parity_code - 1] = borrowed;
  return more;
}

void check(const FullpageParameters& p, const PreconditionParameters& precondition) {
  const bool in_order = precondition.distribution == FillDistribution::scattered &&
                        precondition.order == FillOrder::sequential && precondition.invalid_page_ratio == 0;
  if (p.precondition_percent == 0 || in_order) return;
  throw ConfigError(
      {}, "controller.fullpages.precondition_percent",
      "fullpages keep the order of their addresses: set controller.precondition.distribution to scattered, "
      "its order to sequential and its invalid_page_ratio to 0");
}

std::optional<FullpagePattern> fullpage_pattern(const FullpageParameters& p, const Geometry& flash) {
  if (!p.spread()) return std::nullopt;
  FullpagePattern::LayerGroups groups{};
  std::array<bool, layer_quarters> taken{};
  bool each = p.layer_groups.size() == layer_quarters;
  for (std::size_t k = 0; each && k < layer_quarters; ++k) {
    groups[k] = static_cast<std::uint8_t>(p.layer_groups[k]);
    each = groups[k] == p.layer_groups[k] && !std::exchange(taken[groups[k]], true);
  }
  if (!each) {
    throw ConfigError({}, "controller.fullpages.layer_groups",
                      "must name each quarter of the layers once, such as [0, 2, 1, 3]");
  }
  if (flash.blocks_per_plane % layer_quarters != 0) {
    throw ConfigError({}, "controller.fullpages.allocation",
                      "fpa groups four blocks; make nand.geometry.blocks_per_plane (" +
                          std::to_string(flash.blocks_per_plane) + ") a multiple of 4");
  }
  return FullpagePattern(groups, flash.pages_per_block);
}

}  // namespace nandscape::controller
