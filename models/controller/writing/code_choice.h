// SPDX-License-Identifier: Apache-2.0
// Chooses the code of each page that is written, and checks that the code suits the place that the page gets
// (ecc_selection/ecc_selection.h). Also chooses the state map of the pages of a wordline (content/state_mapping.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "controller/ecc_selection/ecc_selection.h"
#include "controller/flash_ops/flash_io.h"
#include "controller/writing/page_program.h"
#include "controller/writing/write_mode.h"

namespace nandscape::controller {

class CodeChoice {
 public:
  // `chooser` is null if all pages use the ordinary code; `mode` is null if all pages are written alike.
  CodeChoice(FlashIo& io, CodeChooser* chooser, const WriteModePolicy* mode)
      : io_(io), chooser_(chooser), mode_(mode) {}

  // Whether the drive has a choice of codes, and whether the choice depends on the page's place.
  bool any() const { return chooser_ != nullptr; }
  bool by_place() const { return any() && chooser_->goes_by_place(); }
  // Whether codes or state maps depend on both pages of a wordline.
  bool by_wordline() const {
    return (any() && chooser_->goes_by_wordline()) || (mode_ != nullptr && mode_->goes_by_wordline());
  }

  // Chooses the code of a page that is about to be encoded. `expected_page` is the page of its block that it will
  // probably get.
  void choose(PageProgram& page, std::uint64_t expected_page) const;
  // Chooses the codes of the two pages of a wordline, which are about to be encoded, and applies their state map to the
  // data.
  void choose_pair(PageProgram& first, PageProgram& last) const;
  // Undoes the state map of two encoded pages, so that they hold the data as written.
  void undo_pair(PageProgram& first, PageProgram& last) const;
  // Whether the page's code is allowed at `page_of_block`. If not, the page has to be encoded again.
  bool may_stand(const PageProgram& page, std::uint64_t page_of_block) const;
  // Encodes the page with a code that is allowed everywhere, so that this happens only once.
  void encode_again(PageProgram& page) const;

 private:
  std::uint32_t type_of(std::uint64_t page_of_block) const {
    return static_cast<std::uint32_t>(page_of_block % io_.path().pages_per_wordline);
  }
  PageToEncode to_encode(const PageProgram& page, bool encoded, std::optional<std::uint32_t> type) const;
  std::span<std::byte> data_of(const PageProgram& page) const;
  static void set(PageProgram& page, PageCoding coding);

  FlashIo& io_;
  CodeChooser* const chooser_;
  const WriteModePolicy* const mode_;
};

}  // namespace nandscape::controller
