// SPDX-License-Identifier: Apache-2.0
// The paper's content engine: four state counters, and steps chosen by the relaxed or the exact CDBER [Sha, section
// IV].
#pragma once

#include <memory>
#include <utility>

#include "controller/content/content_engine.h"
#include "controller/content/parameters.h"
#include "controller/content/state_counts.h"
#include "controller/content/write_speed_table.h"

namespace nandscape::controller {

class CdberEngine final : public ContentEngine {
 public:
  CdberEngine(std::shared_ptr<const WriteSpeedTable> speeds, ContentBound bound)
      : speeds_(std::move(speeds)), bound_(bound) {}

  StateCounts count(std::span<const std::byte> lsb, std::span<const std::byte> msb) override {
    return count_states(lsb, msb);
  }
  std::uint32_t step(PairedPage page, const StateCounts& states) override {
    return bound_ == ContentBound::exact ? speeds_->optimal(page, states) : speeds_->relaxed(page, states);
  }

 private:
  const std::shared_ptr<const WriteSpeedTable> speeds_;
  const ContentBound bound_;
};

}  // namespace nandscape::controller
