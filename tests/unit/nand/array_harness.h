// SPDX-License-Identifier: Apache-2.0
// A test fixture for the array of a die, without the die's command state machine. The array has two planes of six
// blocks, and three pages per wordline.
#pragma once

#include "nand/nand_array.h"
#include "unit/nand/die_harness.h"

namespace nandscape::nand {

struct ArrayHarness {
  explicit ArrayHarness(CellArray* cells = nullptr) : array(geometry, timing, features, &store, cells, &tags) {}

  static NandCommand command(NandOperation operation, std::uint32_t plane, std::uint32_t block,
                             std::uint32_t page = 0) {
    NandCommand c;
    c.operation = operation;
    c.plane = PlaneInDie(plane);
    c.block = BlockInPlane(block);
    c.page = page;
    return c;
  }
  NandCommand finished(NandCommand c, const NandArray::Commands& suspended = {}) {
    OperationCommands of_operation(geometry.planes_per_die);
    for (NandCommand* const other : suspended) of_operation.push_back(*other);
    array.finish(c, of_operation, 0);
    return c;
  }
  NandCommand programmed(std::uint32_t plane, std::uint32_t block, std::uint32_t page) {
    const NandCommand c = command(NandOperation::program, plane, block, page);
    array.begin_program(c);
    return finished(c);
  }
  void program_pages(std::uint32_t plane, std::uint32_t block, std::uint32_t pages) {
    for (std::uint32_t page = 0; page < pages; ++page) programmed(plane, block, page);
  }
  bool torn(std::uint32_t plane, std::uint32_t block, std::uint32_t page) {
    NandCommand read = command(NandOperation::read, plane, block, page);
    read.bytes = geometry.page_bytes;
    return finished(read).raw_bit_errors == geometry.page_bytes * 4;
  }

  Geometry geometry{.planes_per_die = 2, .blocks_per_plane = 6, .pages_per_block = 9, .page_bytes = 512};
  NandTiming timing{die_parameters()};
  DieFeatures features{timing};
  PageStore store{PageLayout::sharing_spare(512, 0, 512), PageStore::Spare::left_out};
  PageTags tags{12, 9, 2};
  NandArray array;
};

}  // namespace nandscape::nand
