// SPDX-License-Identifier: Apache-2.0
// By which of the drive's codes a page that is written is encoded, and whether that goes with the place that it gets
// (ecc_selection/ecc_selection.h).
#pragma once

#include <cstdint>
#include <optional>

#include "controller/ecc_selection/ecc_selection.h"
#include "controller/flash_ops/flash_io.h"
#include "controller/writing/page_program.h"

namespace nandscape::controller {

class CodeChoice {
 public:
  // `chooser` is null where all pages are of the ordinary code.
  CodeChoice(FlashIo& io, CodeChooser* chooser) : io_(io), chooser_(chooser) {}

  // Whether there is a choice, and whether it depends on places.
  bool any() const { return chooser_ != nullptr; }
  bool by_place() const { return any() && chooser_->goes_by_place(); }

  // Of a page that is about to be encoded, and is expected to get that page of its block.
  void choose(PageProgram& page, std::uint64_t expected_page) const;
  // Whether the code may stand in the page of the block that the page gets. Where it may not, the page has to be
  // encoded once more.
  bool may_stand(const PageProgram& page, std::uint64_t page_of_block) const;
  // By a code that may stand anywhere, so that it is done once.
  void encode_again(PageProgram& page) const;

 private:
  std::uint32_t type_of(std::uint64_t page_of_block) const {
    return static_cast<std::uint32_t>(page_of_block % io_.path().pages_per_wordline);
  }
  PageToEncode to_encode(const PageProgram& page, bool encoded, std::optional<std::uint32_t> type) const;
  static void set(PageProgram& page, PageCoding coding);

  FlashIo& io_;
  CodeChooser* const chooser_;
};

}  // namespace nandscape::controller
