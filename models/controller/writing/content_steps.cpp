// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/content_steps.h"

#include <algorithm>
#include <array>

#include "controller/content/content_profile.h"
#include "core/random.h"

namespace nandscape::controller {

namespace {

bool ends_wordline(PairedPage page) { return page == PairedPage::msb; }

}  // namespace

ContentSteps::ContentSteps(const ContentFacts& facts)
    : facts_(facts), profile_(facts.parameters.profile, {.of_pages = facts.parameters.page_spread}) {}

std::uint16_t ContentSteps::step_mv(const PlacedPage& placed) const {
  if (placed.page.units == nullptr || placed.page.mover != nullptr || !is_faster(placed.type)) return own_step;
  const std::uint32_t step = step_of(placed);
  return step == 0 ? own_step : static_cast<std::uint16_t>(facts_.speeds->steps()[step].step_mv);
}

std::uint8_t ContentSteps::state_map(std::span<const std::byte> first, std::span<const std::byte> last) const {
  if (!maps_states()) return 0;
  return fastest_mapping(facts_.engine->count(first, last)).number();
}

bool ContentSteps::is_faster(std::uint32_t type) const {
  switch (facts_.parameters.faster_pages) {
    case FasterPages::lsb: return static_cast<PairedPage>(type) == PairedPage::lsb;
    case FasterPages::msb: return static_cast<PairedPage>(type) == PairedPage::msb;
    case FasterPages::both: break;
  }
  return true;
}

std::uint32_t ContentSteps::step_of(const PlacedPage& placed) const {
  if (facts_.engine == nullptr) {
    const std::uint64_t key = key_of(placed);
    std::array<double, WordlineSpeedTable::most_pages> ones;
    for (std::uint32_t page = 0; page < facts_.speeds->pages(); ++page) ones[page] = profile_.ones(mix64(key + page));
    return facts_.speeds->largest_legal(facts_.speeds->shares_of(ones));
  }
  const std::optional<StateCounts> states = facts_.keeps_bytes ? counted_states(placed) : profiled_states(placed);
  return states ? step_of(static_cast<PairedPage>(placed.type), *states) : 0;
}

std::uint32_t ContentSteps::step_of(PairedPage page, const StateCounts& states) const {
  const std::uint32_t step = facts_.engine->step(page, states);
  const bool programs_both = ends_wordline(page) && facts_.parameters.step_rule == StepRule::wordline;
  return programs_both ? std::min(step, facts_.engine->step(PairedPage::lsb, states)) : step;
}

std::optional<StateCounts> ContentSteps::counted_states(const PlacedPage& placed) const {
  // The controller does not have the bytes of a page that a command moved within the flash.
  const PageProgram* const other = placed.other_of_wordline;
  if (other == nullptr || other->mover != nullptr) return std::nullopt;
  const std::size_t bytes = facts_.cells / 8;
  const std::span page(placed.page.command.data, bytes), paired(other->command.data, bytes);
  const bool second = ends_wordline(static_cast<PairedPage>(placed.type));
  return second ? facts_.engine->count(paired, page) : facts_.engine->count(page, paired);
}

StateCounts ContentSteps::profiled_states(const PlacedPage& placed) const {
  const StateCounts states = counts_of(profile_.page(key_of(placed)), facts_.cells);
  return facts_.parameters.state_mapping ? fastest_mapping(states)(states) : states;
}

std::uint64_t ContentSteps::key_of(const PlacedPage& placed) const {
  const bool by_page = facts_.parameters.step_rule == StepRule::page;
  const PageProgram* const first = by_page ? nullptr : placed.other_of_wordline;
  const UnitWrite* const unit = first == nullptr || first->units == nullptr ? placed.page.units : first->units;
  return content_key(unit->lpn.value, unit->version);
}

StateMapping ContentSteps::fastest_mapping(const StateCounts& states) const {
  return cheapest_mapping([&](const StateMapping& mapping) {
    double us = 0;
    for (const PairedPage page : paired_pages) {
      us += facts_.speeds->steps()[step_of(page, mapping(states))].program_us;
    }
    return us;
  });
}

}  // namespace nandscape::controller
