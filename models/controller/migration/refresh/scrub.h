// SPDX-License-Identifier: Apache-2.0
// Patrol read: reads all pages of the device in turn, evenly over time, to find failing pages before the host reads
// them. Neighbouring steps go to different planes, which spreads the load over the dies.
#pragma once

#include <algorithm>
#include <cstdint>

#include "controller/addresses/ftl_geometry.h"
#include "controller/addresses/ids.h"
#include "controller/migration/refresh/parameters.h"
#include "core/archive.h"
#include "core/ticks.h"

namespace nandscape::controller {

class Scrub {
 public:
  Scrub(const ScrubParameters& parameters, const FtlGeometry& geometry);

  bool enabled() const { return period_ != 0; }
  // Time of the next step.
  Tick due() const { return enabled() ? rounds_ * period_ + offset(step_) : never; }
  // Rounds that were missed while no access came are not made up for.
  void skip_missed_rounds(Tick now) {
    if (enabled() && now / period_ > rounds_ + 1) rounds_ = now / period_ - 1;
  }
  // Makes the step and returns the page to read. A page without data need not be read; its step passes all the same.
  Ppa next();
  // Whether the block of a page that was read is to be emptied. Compares the errors of the page's worst codeword with
  // the errors that a codeword can correct. A page without errors is never a reason.
  bool relocate(std::uint32_t worst_codeword_errors, std::uint32_t correctable_bits, bool uncorrectable) const {
    return uncorrectable || worst_codeword_errors >= std::max(1.0, error_fraction_ * correctable_bits);
  }

  void persist(Archive& archive) {
    archive.number(rounds_, enabled() ? never / 2 / period_ : 0, "the rounds of the patrol");
    archive.index(step_, geometry_.units(), "the step of the patrol");
  }

 private:
  // Time of a step from the start of its round.
  Tick offset(std::uint64_t step) const {
    return static_cast<Tick>(static_cast<unsigned __int128>(period_) * step / geometry_.units());
  }

  const FtlGeometry geometry_;
  const Tick period_;
  const double error_fraction_;
  std::uint64_t rounds_ = 0;
  std::uint64_t step_ = 0;  // of the round
};

}  // namespace nandscape::controller
