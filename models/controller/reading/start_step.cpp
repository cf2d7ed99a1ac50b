// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/start_step.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

#include "controller/reading/recent_steps.h"

namespace nandscape::controller {

namespace {

class DefaultLevels final : public StartStepPredictor {
 public:
  using Parameters = NoParameters;
  static constexpr Traits traits{.predicts = false};
  DefaultLevels(const Parameters&, const StartStepFacts&) {}

  std::uint8_t start(PagePosition, const PageUnderRecovery&) override { return 0; }
  void succeeded(PagePosition, std::uint8_t, const PageUnderRecovery&) override {}
};

// Takes one byte per layer and age class, and learns from all blocks, so a block needs no read of its own. Variation
// between blocks is not seen.
class LastOfLayer final : public StartStepPredictor {
 public:
  using Parameters = NoParameters;
  LastOfLayer(const Parameters&, const StartStepFacts& facts) : facts_(facts) {}

  std::uint8_t start(PagePosition at, const PageUnderRecovery& page) override {
    const RecentSteps* const steps = nearest(age_class(page.age()));
    return steps == nullptr ? 0 : steps->likely(one_block, at.layer);
  }
  void succeeded(PagePosition at, std::uint8_t step, const PageUnderRecovery& page) override {
    classes_.try_emplace(age_class(page.age()), 1u, facts_.layers).first->second.succeeded(one_block, at.layer, step);
  }

  void persist(Archive& archive) override {
    archive.section("start steps of layers");
    std::uint64_t count = classes_.size();
    archive.number(count, most_classes, "the number of age classes");
    auto saved = classes_.begin();
    std::map<AgeClass, RecentSteps> restored;
    for (std::uint64_t n = 0; n < count; ++n) {
      AgeClass known = saved == classes_.end() ? AgeClass{} : saved->first;
      archive.number(known.hours, most_age_class, "the age of an age class");
      archive.number(known.pe_cycles, most_age_class, "the cycles of an age class");
      RecentSteps fresh(1u, facts_.layers);
      RecentSteps& steps =
          archive.loading() ? restored.try_emplace(known, std::move(fresh)).first->second : saved++->second;
      steps.persist(archive, facts_.last_step);
    }
    if (archive.loading()) classes_ = std::move(restored);
  }

 private:
  static constexpr Superblock one_block{0};  // a table of an age class has the layers of one block
  static constexpr std::uint64_t most_classes = (most_age_class + 1u) * (most_age_class + 1u);

  // Returns the table of the class, or else of the nearest one that has a table: most like it in age and cycles, and of
  // several the youngest. Returns null if nothing is known.
  const RecentSteps* nearest(AgeClass wanted) const {
    if (const auto exact = classes_.find(wanted); exact != classes_.end()) return &exact->second;
    const RecentSteps* best = nullptr;
    int least = 0;
    for (const auto& [known, steps] : classes_) {
      const int distance = std::abs(known.hours - wanted.hours) + std::abs(known.pe_cycles - wanted.pe_cycles);
      if (best != nullptr && distance >= least) continue;
      best = &steps;
      least = distance;
    }
    return best;
  }

  const StartStepFacts facts_;
  std::map<AgeClass, RecentSteps> classes_;
};

// Remembers a step for each block and each of `layers` layers. Higher layers share the step of the last one.
class StepsOfBlocks : public StartStepPredictor {
 public:
  using Parameters = NoParameters;

  std::uint8_t start(PagePosition at, const PageUnderRecovery&) override { return steps_.likely(at.block, layer(at)); }
  void succeeded(PagePosition at, std::uint8_t step, const PageUnderRecovery&) override {
    steps_.succeeded(at.block, layer(at), step);
  }
  void erased(Superblock block) override { steps_.forget(block); }
  void persist(Archive& archive) override { steps_.persist(archive, last_step_); }

 protected:
  StepsOfBlocks(const StartStepFacts& facts, std::uint32_t layers)
      : last_step_(facts.last_step), last_layer_(layers - 1), steps_(facts.blocks, layers) {}

 private:
  std::uint32_t layer(PagePosition at) const { return std::min(at.layer, last_layer_); }

  const std::uint32_t last_step_;
  const std::uint32_t last_layer_;
  RecentSteps steps_;
};

// One step for each block. Layers of a block differ, so the step of the page that happened to be read last may be wrong
// for the next one.
class LastOfBlock final : public StepsOfBlocks {
 public:
  LastOfBlock(const Parameters&, const StartStepFacts& facts) : StepsOfBlocks(facts, 1) {}
};

// Process similarity (PSO) of Shim et al., MICRO 2019, as described in section 7.3 of Park et al., ASPLOS 2021: the
// step of the page of the block that was last read in this layer, or in the nearest layer that has been read.
class LastOfBlockAndLayer final : public StepsOfBlocks {
 public:
  LastOfBlockAndLayer(const Parameters&, const StartStepFacts& facts) : StepsOfBlocks(facts, facts.layers) {}
};

// A page that was read before the simulation began. Its place is known only as far as predictors need it.
class PageReadBefore final : public PageUnderRecovery {
 public:
  PageReadBefore(Superblock block, const BlockAge& age) : block_(block), age_(age) {}

  PagePlace place() const override { return {.superblock = block_.value}; }
  BlockAge age() const override { return age_; }

 private:
  const Superblock block_;
  const BlockAge age_;
};

}  // namespace

void remember_last_reads(StartStepPredictor& predictor, double age_share, const LayerSteps& step_of_layers,
                         const BlockTable& blocks, const BlockAges& ages) {
  // The steps are calculated only once for each age in hours, because all blocks have the same number of P/E cycles and
  // only a few different ages.
  std::map<double, std::vector<std::optional<std::uint8_t>>> known;
  for (const Superblock block : blocks.geometry().every_block()) {
    if (!blocks.filled(block)) continue;
    BlockAge age = ages.of(block, 0);
    age.age_hours *= age_share;
    const auto [steps, is_new] = known.try_emplace(age.age_hours);
    if (is_new) steps->second = step_of_layers(age);
    const PageReadBefore page(block, age);
    for (std::uint32_t layer = 0; layer < steps->second.size(); ++layer) {
      if (const auto step = steps->second[layer]) predictor.succeeded({block, layer}, *step, page);
    }
  }
}

StartStepRegistry& start_step_registry() {
  static StartStepRegistry registry("controller.read_retry.start", [](StartStepRegistry& r) {
    r.add<DefaultLevels>("default_levels", "step 0, the default levels");
    r.add<LastOfBlock>("last_of_block", "the step at which a page of the block was last read");
    r.add<LastOfLayer>("last_of_layer",
                       "the step at which a page of the layer was last read, on any block of the same age class");
    r.add<LastOfBlockAndLayer>("last_of_block_and_layer",
                               "the step at which a page of the block was last read in the layer, or in the nearest "
                               "layer that has been read");
  });
  return registry;
}

}  // namespace nandscape::controller
