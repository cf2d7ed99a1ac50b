// SPDX-License-Identifier: Apache-2.0
// The cells of a wordline, divided into pieces that the workers of a team process at the same time. The kernels process
// each cell by itself, so results do not depend on the number of pieces.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/work_team.h"
#include "nand/cells/cell_kernels.h"

namespace nandscape::nand {

class CellPieces {
 public:
  // Without a team, all cells are one piece. The team must outlive this object.
  CellPieces(std::size_t cells, WorkTeam* team = nullptr)
      : cells_(cells), team_(team), size_(team == nullptr ? cells : size_for(cells, team->workers())) {}

  std::size_t cells() const { return cells_; }

  // Calls work(range) for each piece. If `work` throws, the exception is passed on (see WorkTeam).
  template <class Work>
  void for_each(const Work& work) const {
    if (size_ >= cells_) {
      work(CellRange(cells_));
      return;
    }
    team_->for_each((cells_ + size_ - 1) / size_, [&](std::size_t piece, std::size_t) {
      work(CellRange(piece * size_, std::min((piece + 1) * size_, cells_)));
    });
  }

 private:
  // To hand over a piece takes about as long as one kernel needs for a block of cells.
  static constexpr std::size_t least_blocks = 4;

  // Each worker has one piece. With several, pieces would move between cores from pulse to pulse, and to load their
  // cells would cost as much time as the second worker saves.
  static std::size_t size_for(std::size_t cells, std::size_t workers) {
    if (workers == 1) return cells;
    const std::size_t blocks = (cells + block_cells - 1) / block_cells;
    return block_cells * std::max(least_blocks, (blocks + workers - 1) / workers);
  }

  std::size_t cells_;
  WorkTeam* team_;
  std::size_t size_;  // of a piece, in cells
};

}  // namespace nandscape::nand
