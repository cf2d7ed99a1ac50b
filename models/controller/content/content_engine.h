// SPDX-License-Identifier: Apache-2.0
// Who says which ISPP step a page bears, by what the cells of its wordline hold: the equations of content-dependent bit
// error rates [Sha], or a plug-in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "controller/content/cell_states.h"

namespace nandscape::controller {

class ContentEngine {
 public:
  virtual ~ContentEngine() = default;

  // Of a wordline, by the bytes of its two pages, which have one size.
  virtual StateCounts count(std::span<const std::byte> lsb, std::span<const std::byte> msb) = 0;
  // The largest step that the page bears, by its number in the table of write speeds.
  virtual std::uint32_t step(PairedPage page, const StateCounts& states) = 0;
};

}  // namespace nandscape::controller
