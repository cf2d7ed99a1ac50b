// SPDX-License-Identifier: Apache-2.0
// The numbers of pages, wordlines and mapping units of a block. They depend on the write mode of the block. The
// numbering of addresses, however, is the same for all blocks: FtlGeometry and FlashLayout reserve as many numbers per
// block as the largest shape needs, and a smaller block leaves the last numbers unused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "controller/addresses/flash_layout.h"
#include "protocol/nand_command.h"

namespace nandscape::controller {

struct BlockShape {
  std::uint32_t rows = 1;  // pages of each flash block in the superblock
  std::uint32_t pages_per_wordline = 1;
  std::uint32_t data_pages_per_row = 1;
  std::uint32_t units_per_page = 1;
  ProgramMode cells = ProgramMode::native;  // mode in which pages are programmed
  std::uint32_t passes = 1;                 // passes that program a wordline (ProgramPass)
  bool cached = false;                      // the block belongs to a cache, which alone decides when it is emptied

  // Returns the shape of a block in SLC mode: each wordline has one page.
  BlockShape in_slc_mode() const {
    BlockShape slc = *this;
    slc.rows /= pages_per_wordline;
    slc.pages_per_wordline = 1;
    slc.cells = ProgramMode::slc;
    slc.passes = 1;
    return slc;
  }
  // The numbers of pages and mapping units that hold data, without parity.
  std::uint32_t data_pages() const { return rows * data_pages_per_row; }
  std::uint32_t units_per_row() const { return data_pages_per_row * units_per_page; }
  std::uint32_t units() const { return rows * units_per_row(); }
  // The maximum number of valid units with which emptying the block still gains a flash page.
  std::uint32_t most_collectable_units() const { return units() - units_per_page; }

  // The number of complete wordlines of each flash block. The last wordline may be incomplete.
  std::uint32_t whole_wordlines() const { return rows / pages_per_wordline; }
  // The number of the page within its wordline; the page of the lowest bit is 0.
  std::uint32_t type_of(std::uint64_t row) const { return static_cast<std::uint32_t>(row % pages_per_wordline); }
  std::uint32_t first_of_wordline(std::uint32_t row) const { return row - type_of(row); }
  // Whether the row is the last one of its wordline. The last wordline may have fewer pages than the others.
  bool ends_wordline(std::uint32_t row) const { return (row + 1) % pages_per_wordline == 0 || row + 1 == rows; }
  // Rounds a number of pages, counted from the start of a wordline, up to a whole number of wordlines.
  std::uint32_t up_to_wordline(std::uint32_t pages) const {
    return (pages + pages_per_wordline - 1) / pages_per_wordline * pages_per_wordline;
  }

  // The number of pages that must be programmed before the first `pages` pages are durable: whole wordlines and, with
  // two passes, the first pass of one more wordline. May exceed the number of pages of the block.
  std::uint32_t up_to_durable(std::uint32_t pages) const {
    return up_to_wordline(pages) + (passes - 1) * pages_per_wordline;
  }

  // The most pages that lack programs before all programmed pages of a write point are durable. With two passes, three
  // wordlines lack their second pass.
  std::uint32_t most_pages_to_durable() const { return passes == 1 ? pages_per_wordline - 1 : 3 * pages_per_wordline; }

  bool operator==(const BlockShape&) const = default;
};

// The shape of a drive's blocks in each write mode.
class BlockShapes {
 public:
  // `ordinary` is the shape of blocks in mode 0 and in every mode for which add() has not been called.
  explicit BlockShapes(const BlockShape& ordinary) : shapes_(modes, ordinary) {}
  // Constructs the shape of blocks that use all pages of the flash in the native mode of the cells. It applies to all
  // modes.
  BlockShapes(const FlashLayout& layout, std::uint32_t pages_per_wordline, std::uint32_t passes = 1)
      : BlockShapes(BlockShape{.rows = layout.flash().pages_per_block,
                               .pages_per_wordline = pages_per_wordline,
                               .data_pages_per_row = layout.data_pages_per_row(),
                               .units_per_page = layout.units_per_page(),
                               .passes = passes}) {}

  // Sets the shape of blocks in `mode`. A row of the shape must hold as many units as a row of an ordinary block, and
  // the shape must not have more rows. Throws std::logic_error otherwise.
  void add(std::uint8_t mode, const BlockShape& shape) {
    if (shape.units_per_row() != ordinary().units_per_row() || shape.rows > ordinary().rows) {
      throw std::logic_error("the places of a block are numbered for its ordinary shape, which does not hold another");
    }
    shapes_[mode] = shape;
  }

  const BlockShape& ordinary() const { return shapes_.front(); }
  // Returns the shape for a mode of BlockTable::write_mode().
  const BlockShape& of(std::uint8_t mode) const { return shapes_[mode]; }

 private:
  static constexpr std::size_t modes = 256;

  std::vector<BlockShape> shapes_;  // by mode
};

}  // namespace nandscape::controller
