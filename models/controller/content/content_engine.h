// SPDX-License-Identifier: Apache-2.0
// Chooses the ISPP step of a page from the states of its wordline's cells: by the equations of content-dependent bit
// error rates [Sha], or by a plug-in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "controller/content/cell_states.h"

namespace nandscape::controller {

class ContentEngine {
 public:
  virtual ~ContentEngine() = default;

  // Counts the states of a wordline's cells. The spans are the bytes of its two pages and have equal size.
  virtual StateCounts count(std::span<const std::byte> lsb, std::span<const std::byte> msb) = 0;
  // Returns the largest step with which the page stays correctable, as an index into the table of write speeds.
  virtual std::uint32_t step(PairedPage page, const StateCounts& states) = 0;
};

}  // namespace nandscape::controller
