// SPDX-License-Identifier: Apache-2.0
// Content-dependent ISPP steps for two-bit cells in natural order, those of the paper.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "controller/content/content_profile.h"
#include "controller/content/state_mapping.h"
#include "controller/writing/content_steps.h"
#include "core/error.h"

namespace nandscape::controller {

// Cells get their final voltage when the last page of their wordline is programmed, from the bits of both pages. The
// step of that program must therefore be legal for both. An earlier page is programmed with the step that its own
// errors allow.
//
// The content of a wordline is known when both of its pages are, so the pages are gathered. If the second page has not
// come in time, the first is written alone and gets the device's own step. If the simulation keeps no bytes, a profile
// gives the content of the wordline, by the logical page of its first page. The controller is then assumed to have both
// pages in its buffer.
class TwoBitSteps final : public ContentSteps {
 public:
  explicit TwoBitSteps(const ContentFacts& facts)
      : facts_(facts), profile_(facts_.parameters.profile, {.of_pages = facts_.parameters.page_spread}) {
    check(facts_);
  }

  std::uint16_t step_mv(const PlacedPage& placed) const override {
    const auto page = static_cast<PairedPage>(placed.type);
    if (placed.page.units == nullptr || placed.page.mover != nullptr || !is_faster(page)) return own_step;
    const std::optional<StateCounts> states = states_of(placed);
    if (!states) return own_step;
    const std::uint32_t step = step_of(page, *states);
    return step == 0 ? own_step : static_cast<std::uint16_t>(facts_.speeds->steps()[step].step_mv);
  }

  bool goes_by_wordline() const override { return facts_.keeps_bytes; }
  bool maps_states() const override { return facts_.keeps_bytes && facts_.parameters.state_mapping; }
  std::uint8_t state_map(std::span<const std::byte> first, std::span<const std::byte> last) const override {
    if (!maps_states()) return 0;
    return fastest_mapping(facts_.engine->count(first, last)).number();
  }

 private:
  static void check(const ContentFacts& facts) {
    const ContentParameters& p = facts.parameters;
    if (p.step_rule == StepRule::page && facts.cells_err) {
      throw ConfigError({}, "controller.content.step_rule",
                        "page programs a wordline with a step that may be too large for one of its two pages; set it "
                        "to wordline, or set simulation.cells to ideal");
    }
  }

  static bool ends_wordline(PairedPage page) { return page == PairedPage::msb; }

  bool is_faster(PairedPage page) const {
    switch (facts_.parameters.faster_pages) {
      case FasterPages::lsb: return page == PairedPage::lsb;
      case FasterPages::msb: return page == PairedPage::msb;
      case FasterPages::both: break;
    }
    return true;
  }

  std::uint32_t step_of(PairedPage page, const StateCounts& states) const {
    const std::uint32_t step = facts_.engine->step(page, states);
    const bool programs_both = ends_wordline(page) && facts_.parameters.step_rule == StepRule::wordline;
    return programs_both ? std::min(step, facts_.engine->step(PairedPage::lsb, states)) : step;
  }

  // Cells of the wordline in each state; none if its content is not known.
  std::optional<StateCounts> states_of(const PlacedPage& placed) const {
    return facts_.keeps_bytes ? counted_states(placed) : profiled_states(placed);
  }

  std::optional<StateCounts> counted_states(const PlacedPage& placed) const {
    // Pages that moved within the flash have no bytes in the controller.
    const PageProgram* const other = placed.other_of_wordline;
    if (other == nullptr || other->mover != nullptr) return std::nullopt;
    const std::size_t bytes = facts_.speeds->cells() / 8;
    const std::span page(placed.page.command.data, bytes), paired(other->command.data, bytes);
    const bool second = ends_wordline(static_cast<PairedPage>(placed.type));
    return second ? facts_.engine->count(paired, page) : facts_.engine->count(page, paired);
  }

  StateCounts profiled_states(const PlacedPage& placed) const {
    const bool by_page = facts_.parameters.step_rule == StepRule::page;
    const PageProgram* first = by_page ? nullptr : placed.other_of_wordline;
    const UnitWrite* unit = first == nullptr || first->units == nullptr ? placed.page.units : first->units;
    const StateCounts states =
        counts_of(profile_.page(content_key(unit->lpn.value, unit->version)), facts_.speeds->cells());
    return facts_.parameters.state_mapping ? fastest_mapping(states)(states) : states;
  }

  StateMapping fastest_mapping(const StateCounts& states) const {
    return cheapest_mapping([&](const StateMapping& mapping) { return program_us(mapping(states)); });
  }

  // Time to program both pages, in us.
  double program_us(const StateCounts& states) const {
    double us = 0;
    for (const PairedPage page : paired_pages) us += facts_.speeds->steps()[step_of(page, states)].program_us;
    return us;
  }

  const ContentFacts facts_;
  const ContentProfile profile_;
};

}  // namespace nandscape::controller
