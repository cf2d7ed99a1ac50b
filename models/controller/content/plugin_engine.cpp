// SPDX-License-Identifier: Apache-2.0
#include "controller/content/plugin_engine.h"

namespace nandscape::controller {

namespace {

using enum CellState;

plugin::StateShares shares(const std::vector<double>& of) { return {of[0], of[1], of[2], of[3]}; }

std::vector<plugin::WriteStep> write_steps(const WordlineSpeedTable& speeds) {
  std::vector<plugin::WriteStep> steps;
  for (const WordlineSpeedTable::Step& step : speeds.steps()) {
    steps.push_back({step.step_mv, step.program_us, shares(step.left), shares(step.right)});
  }
  return steps;
}

}  // namespace

PluginEngine::PluginEngine(const std::string& path, const std::string& options, const WordlineSpeedTable& speeds,
                           std::uint32_t cells)
    : library_(PluginLibrary::open(path)),
      steps_(write_steps(speeds)),
      engine_(library_->make_content_engine({steps_, speeds.correctable_ber(), cells, options.c_str()})) {}

StateCounts PluginEngine::count(std::span<const std::byte> lsb, std::span<const std::byte> msb) {
  const plugin::StateCounts counted = library_->call("count", [&] { return engine_->count(lsb, msb); });
  StateCounts states;
  states.of = {counted.s11, counted.s10, counted.s01, counted.s00};
  return states;
}

std::uint32_t PluginEngine::step(PairedPage page, const StateCounts& states) {
  const auto as = page == PairedPage::lsb ? plugin::PairedPage::lsb : plugin::PairedPage::msb;
  const plugin::StateCounts counts{states[s11], states[s10], states[s01], states[s00]};
  const std::uint32_t step = library_->call("step", [&] { return engine_->step(as, counts); });
  if (step >= steps_.size()) {
    library_->refuse_answer("returned step " + std::to_string(step) + " from step(); steps are numbered 0 to " +
                            std::to_string(steps_.size() - 1));
  }
  return step;
}

}  // namespace nandscape::controller
