// SPDX-License-Identifier: Apache-2.0
// Finds and reads companions: some pages have codewords that can be decoded only with those of another page, their
// companion.
#pragma once

#include <cstdint>
#include <optional>

#include "controller/reading/page_read.h"

namespace nandscape::controller {

// A page, and the range of its bytes that is needed.
struct CompanionPage {
  Ppa first_unit;
  std::uint32_t first;
  std::uint32_t end;
};

class CompanionReads {
 public:
  // Returns the companion that the codewords in those bytes of the unit's page need, if any.
  virtual std::optional<CompanionPage> companion_of(Ppa unit, std::uint32_t first, std::uint32_t end) const = 0;
  // Returns the first unit of the page whose codewords need the page that begins at this unit, if there is one.
  virtual std::optional<Ppa> borrower_of(Ppa first_unit) const = 0;
  // Sets the code of the read. Returns whether the read was sent, together with its companion.
  virtual bool start(PageRead& read, std::uint32_t first, std::uint32_t end, Tick now) = 0;

 protected:
  ~CompanionReads() = default;
};

}  // namespace nandscape::controller
