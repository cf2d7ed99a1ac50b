// SPDX-License-Identifier: Apache-2.0
// Content-dependent ISPP steps for cells of any other coding. A wordline is programmed in one shot, so all of its pages
// take the step that all of them bear. The content of each page is drawn on its own, like that of a file's page, by the
// logical page of the first page (content/content_profile.h). The controller is assumed to have all pages of a wordline
// in its buffer.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "controller/content/content_profile.h"
#include "controller/writing/content_steps.h"
#include "core/error.h"
#include "core/random.h"

namespace nandscape::controller {

class WordlineSteps final : public ContentSteps {
 public:
  explicit WordlineSteps(const ContentFacts& facts)
      : speeds_(facts.wordlines), profile_(facts.parameters.profile, {.of_pages = facts.parameters.page_spread}) {
    const auto require = [](bool holds, const char* key, const char* what) {
      if (!holds) throw ConfigError({}, key, std::string(what) + ", or nand.coding to mlc_13");
    };
    require(!facts.keeps_bytes, "simulation.data",
            "stored content is counted for cells of two bits only; set simulation.data to none, so that it is drawn");
    require(!facts.parameters.state_mapping, "controller.content.state_mapping",
            "maps the states of cells of two bits only; set it to false");
    require(facts.parameters.faster_pages == FasterPages::both, "controller.content.faster_pages",
            "tells pages of cells of two bits apart only; set it to both");
    require(facts.parameters.step_rule == StepRule::wordline, "controller.content.step_rule",
            "page is a rule for cells of two bits only; set it to wordline");
    require(facts.parameters.bound == ContentBound::exact, "controller.content.bound",
            "relaxed counts two of the states of cells of two bits; set it to exact");
    require(facts.parameters.plugin.empty(), "controller.content.plugin",
            "is used for cells of two bits only; leave it out");
  }

  std::uint16_t step_mv(const PlacedPage& placed) const override {
    if (placed.page.units == nullptr || placed.page.mover != nullptr) return own_step;
    const PageProgram* const first = placed.other_of_wordline;
    const UnitWrite* const unit = first == nullptr || first->units == nullptr ? placed.page.units : first->units;
    const std::uint64_t key = content_key(unit->lpn.value, unit->version);
    std::array<double, most_pages> ones;
    for (std::uint32_t page = 0; page < speeds_->pages(); ++page) ones[page] = profile_.ones(mix64(key + page));
    const std::uint32_t step = speeds_->largest_legal(ones);
    return step == 0 ? own_step : static_cast<std::uint16_t>(speeds_->steps()[step].step_mv);
  }

 private:
  static constexpr std::size_t most_pages = 8;

  const std::shared_ptr<const WordlineSpeedTable> speeds_;
  const ContentProfile profile_;
};

}  // namespace nandscape::controller
