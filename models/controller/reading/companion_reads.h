// SPDX-License-Identifier: Apache-2.0
// Pages whose codewords can be decoded only with those of another page, their companion: which one it is, and how it is
// read with them.
#pragma once

#include <cstdint>
#include <optional>

#include "controller/reading/page_read.h"

namespace nandscape::controller {

// A page, and which bytes of it are needed.
struct CompanionPage {
  Ppa first_unit;
  std::uint32_t first;
  std::uint32_t end;
};

class CompanionReads {
 public:
  // None unless the codewords in those bytes of the unit's page need one.
  virtual std::optional<CompanionPage> companion_of(Ppa unit, std::uint32_t first, std::uint32_t end) const = 0;
  // The first unit of the page whose codewords need the page that begins at this unit, if any do.
  virtual std::optional<Ppa> borrower_of(Ppa first_unit) const = 0;
  // Says of a read which code its codewords are of. Returns whether it was sent, with its companion.
  virtual bool start(PageRead& read, std::uint32_t first, std::uint32_t end, Tick now) = 0;

 protected:
  ~CompanionReads() = default;
};

}  // namespace nandscape::controller
