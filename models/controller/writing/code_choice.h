// SPDX-License-Identifier: Apache-2.0
// By which of the drive's codes a page that is written is encoded, and whether that goes with the place that it gets
// (ecc_selection/ecc_selection.h); and which map of states the pages of a wordline are written with
// (content/state_mapping.h).
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
  // `chooser` is null where all pages are of the ordinary code, `mode` where all are written alike.
  CodeChoice(FlashIo& io, CodeChooser* chooser, const WriteModePolicy* mode)
      : io_(io), chooser_(chooser), mode_(mode) {}

  // Whether there is a choice, and whether it depends on places.
  bool any() const { return chooser_ != nullptr; }
  bool by_place() const { return any() && chooser_->goes_by_place(); }
  // Whether it goes by both pages of a wordline.
  bool by_wordline() const {
    return (any() && chooser_->goes_by_wordline()) || (mode_ != nullptr && mode_->goes_by_wordline());
  }

  // Of a page that is about to be encoded, and is expected to get that page of its block.
  void choose(PageProgram& page, std::uint64_t expected_page) const;
  // Of the two pages of a wordline, which are about to be encoded, and are mapped to the states that they are to have.
  void choose_pair(PageProgram& first, PageProgram& last) const;
  // The pages, which are encoded, hold what was written again.
  void undo_pair(PageProgram& first, PageProgram& last) const;
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
  std::span<std::byte> data_of(const PageProgram& page) const;
  static void set(PageProgram& page, PageCoding coding);

  FlashIo& io_;
  CodeChooser* const chooser_;
  const WriteModePolicy* const mode_;
};

}  // namespace nandscape::controller
