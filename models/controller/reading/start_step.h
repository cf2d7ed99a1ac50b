// SPDX-License-Identifier: Apache-2.0
// The step of the retry table at which the first read of a page is made. A start step predictor learns from the pages
// that have been decoded, and gives each page a start step. The read-recovery policy continues from there: the start
// step is the first one of PageUnderRecovery::order. Each predictor works with each policy.
#pragma once

#include <cstdint>
#include <memory>

#include "controller/addresses/ids.h"
#include "controller/mapping/block_ages.h"
#include "controller/mapping/block_table.h"
#include "controller/reading/read_recovery.h"
#include "core/archive.h"
#include "core/registry.h"

namespace nandscape::controller {

// The extent of what a predictor may distinguish.
struct StartStepFacts {
  std::uint32_t blocks = 0;
  std::uint32_t layers = 1;
  std::uint32_t last_step = 0;  // highest step of the retry table
};

// The part of the place of a page on which its read levels depend most.
struct PagePosition {
  Superblock block;
  std::uint32_t layer = 0;
};

class StartStepPredictor {
 public:
  // A drive with a predictor that does not predict never calls it, and reads each page at the default levels first.
  struct Traits {
    bool predicts = true;
  };

  virtual ~StartStepPredictor() = default;

  // Returns the step of the first read of the page, which is at `at`.
  virtual std::uint8_t start(PagePosition at, const PageUnderRecovery& page) = 0;
  // Called when a read of the page with this step has been decoded.
  virtual void succeeded(PagePosition at, std::uint8_t step, const PageUnderRecovery& page) = 0;
  // Called when the block has been erased. New data need other steps than old data.
  virtual void erased(Superblock) {}
  virtual void persist(Archive&) {}
};

using StartStepRegistry = Registry<StartStepPredictor, const StartStepFacts&>;
StartStepRegistry& start_step_registry();

// Teaches the predictor as if the drive had already read its data before the simulation. Each block of the initial fill
// counts as last read when its data had `age_share` of their present age. `step_of_layers` returns the steps of the
// retry table with which such reads would have succeeded.
void remember_last_reads(StartStepPredictor& predictor, double age_share, const LayerSteps& step_of_layers,
                         const BlockTable& blocks, const BlockAges& ages);

}  // namespace nandscape::controller
