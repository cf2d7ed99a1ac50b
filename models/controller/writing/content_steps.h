// SPDX-License-Identifier: Apache-2.0
// Chooses a larger ISPP step for pages whose content leaves a margin below the errors that the code corrects [Sha,
// section IV-B1].
//
// Two bits in natural order, as in the paper: cells get their final voltage when the last page of their wordline is
// programmed, from the bits of both pages. The step of that program must therefore be legal for both. An earlier page
// is programmed with the step that its own errors allow. The content of a wordline is known when both of its pages are,
// so the pages are gathered. If the second page does not come in time, the first is written alone and gets the device's
// own step.
//
// Any other coding: a wordline is programmed in one shot, so its pages take the largest step that all of them tolerate.
//
// If the simulation keeps no bytes, a profile gives the content of the wordline, keyed by its first logical page. The
// controller is then assumed to have all pages of a wordline in its buffer. For two bits, a page of the profile gives
// the states of the cells; for other codings, each page of the wordline has its own page in the profile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "controller/content/content_engine.h"
#include "controller/content/state_mapping.h"
#include "controller/writing/write_mode.h"

namespace nandscape::controller {

inline constexpr std::uint16_t own_step = 0;

class ContentSteps {
 public:
  // `facts` must hold its step tables. Throws ConfigError for parameters that the steps do not support.
  explicit ContentSteps(const ContentFacts& facts);

  // The ISPP step in mV; 0 is the device's own. The other functions are as in WriteModePolicy.
  std::uint16_t step_mv(const PlacedPage& page) const;
  bool goes_by_wordline() const { return facts_.keeps_bytes; }
  bool maps_states() const { return facts_.keeps_bytes && facts_.parameters.state_mapping; }
  std::uint8_t state_map(std::span<const std::byte> first, std::span<const std::byte> last) const;

 private:
  bool is_faster(std::uint32_t type) const;
  // The number of the step; 0 is the device's own.
  std::uint32_t step_of(const PlacedPage& placed) const;
  std::uint32_t step_of(PairedPage page, const StateCounts& states) const;
  // Cells of a two-bit wordline in each state; none if its content is not known.
  std::optional<StateCounts> counted_states(const PlacedPage& placed) const;
  StateCounts profiled_states(const PlacedPage& placed) const;
  // The key under which the profile has the content of the page's wordline.
  std::uint64_t key_of(const PlacedPage& placed) const;
  StateMapping fastest_mapping(const StateCounts& states) const;

  const ContentFacts facts_;
  const ContentProfile profile_;
};

}  // namespace nandscape::controller
