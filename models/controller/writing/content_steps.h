// SPDX-License-Identifier: Apache-2.0
// Chooses larger ISPP steps for pages whose content causes fewer errors than the code can correct [Sha, section IV-B1].
//
// With two bits per cell in natural binary order, as in the paper, the cells move to their final voltages when the last
// page of their wordline is programmed. These voltages depend on the bits of both pages, so the step of that program
// must be legal for both pages. The first page is programmed with a step that is legal for itself. The content of a
// wordline is known only when both pages have arrived, so the pages are gathered. If the second page does not arrive in
// time, the first page is written alone, with the default step of the device.
//
// With any other coding, all pages of a wordline are programmed in one shot, with the largest step that is legal for
// all of them.
//
// If the simulation keeps no bytes, the content of a wordline is generated from a profile, with the first logical page
// of the wordline as the key. It is then assumed that all pages of a wordline are in the controller's buffer. With two
// bits per cell, the profile gives the states of the cells directly. With other codings, the content of each page of
// the wordline is generated separately.
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
  // `facts` must contain the step tables. Throws ConfigError if the parameters are not supported.
  explicit ContentSteps(const ContentFacts& facts);

  // Returns the ISPP step of the page in mV, or own_step for the default step of the device. The other functions are
  // those of WriteModePolicy.
  std::uint16_t step_mv(const PlacedPage& page) const;
  bool goes_by_wordline() const { return facts_.keeps_bytes; }
  bool maps_states() const { return facts_.keeps_bytes && facts_.parameters.state_mapping; }
  std::uint8_t state_map(std::span<const std::byte> first, std::span<const std::byte> last) const;

 private:
  bool is_faster(std::uint32_t type) const;
  // Return the number of the ISPP step for the page in the table of write speeds. Step 0 is the default step of the
  // device.
  std::uint32_t step_of(const PlacedPage& placed) const;
  std::uint32_t step_of(PairedPage page, const StateCounts& states) const;
  // Returns the number of cells in each state of a wordline with two bits per cell, or nothing if the content of the
  // wordline is not known.
  std::optional<StateCounts> counted_states(const PlacedPage& placed) const;
  StateCounts profiled_states(const PlacedPage& placed) const;
  // Returns the key with which the profile generates the content of the page's wordline.
  std::uint64_t key_of(const PlacedPage& placed) const;
  StateMapping fastest_mapping(const StateCounts& states) const;

  const ContentFacts facts_;
  const ContentProfile profile_;
};

}  // namespace nandscape::controller
