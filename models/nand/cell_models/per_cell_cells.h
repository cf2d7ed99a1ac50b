// SPDX-License-Identifier: Apache-2.0
// The cell model `simulation.cells: per_cell` simulates every cell of a wordline. The threshold voltage of each cell is
// set by ISPP pulses, changes with age, and is sensed. The model uses the same constants and the same variation between
// wordlines as StatisticalCells. It counts the misread cells, while StatisticalCells computes their probability in
// closed form.
//
// A wordline that is programmed during the simulation needs five bytes of memory for each cell, which is about 0.7 MB
// for pages of 16 KiB. Wordlines that were programmed before the start are not stored. Their cells are drawn from the
// same random numbers whenever they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nand/cell_models/ageing_cells.h"
#include "nand/cells/cell_pieces.h"

namespace nandscape::nand {

class PerCellCells final : public AgeingCells {
 public:
  // The device must outlive the cells.
  PerCellCells(const CellDevice& device, std::uint64_t seed, std::string_view die,
               std::unique_ptr<InitialAges> ages = nullptr);

  // The threshold voltages that a read of the wordline would find now, and for each cell the place (the state) to which
  // it was programmed.
  struct Snapshot {
    std::vector<float> vth;
    std::vector<std::uint8_t> place;
  };
  Snapshot snapshot(const SenseOrder& order, Tick now);
  std::vector<float> threshold_voltages(const SenseOrder& order, Tick now) override { return snapshot(order, now).vth; }

 private:
  struct Wordline {
    std::vector<float> vth;  // voltages when the cells were verified last
    std::vector<std::uint8_t> place;
    // Both are empty if the wordline was never adjusted. `raised` is the amount by which adjustments have raised each
    // cell. `made_up` is the coupling from neighbours that already existed when the cell was verified again, so that
    // the verify compensated for it.
    std::vector<float> raised;
    std::vector<float> made_up;
    std::uint64_t key = 0;  // identifies the random numbers of the wordline's cells
  };
  // The pages that have been loaded into the latches for a wordline whose remaining pages have not arrived.
  using Latches = std::vector<std::vector<std::byte>>;

  void program_cells(const ProgramOrder& order) override;
  void erase_cells(BlockInDie block) override;
  void adjust_cells(const AdjustOrder& order, const MisreadTables::Read& history) override;
  SenseResult sense_cells(const SenseOrder& order, const MisreadTables::Read& read,
                          std::uint32_t inherited_errors) override;
  void lose_latched_cells(WordlineAddress where) override;
  void persist_cells(Archive& archive) override;

  std::uint64_t key_of(WordlineAddress where) const;
  StateDistribution erased(WordlineAddress where) const;
  // Returns the stored wordline. If it is not stored, its cells are drawn at random.
  const Wordline& wordline(WordlineAddress where, const Coding& coding);
  void draw(Wordline& wordline, WordlineAddress where, const Coding& coding, double step_mv) const;
  void age(const SenseOrder& order, const MisreadTables::Read& read);
  // Returns the current shift of each cell's threshold voltage by the neighbouring wordlines, or null if there is no
  // shift.
  const float* interference(WordlineAddress where, const Coding& coding, std::uint32_t programmed_wordlines);
  void add_interference(WordlineAddress next, const Coding& coding);
  void add_interference(std::span<const float> rises);
  // Counts the misread bits in the codewords that the order reads.
  SenseResult count(const SenseOrder& order) const;
  // Flips the misread bits in the data of the order. The rest of the page is not changed.
  void flip_misread(const SenseOrder& order) const;
  // Senses the page with all read levels shifted by `offset_mv`.
  void sense_page_at(double offset_mv, const SenseOrder& order, const MisreadTables::Read& read,
                     std::span<const double> levels, std::vector<std::uint64_t>& bits);
  void flip_by_sensing(const SenseOrder& order, const MisreadTables::Read& read, const std::vector<float>& levels,
                       std::vector<std::uint64_t>& bits);
  // Sets `sensed_ones` of a soft read. The data of the order must not yet contain the misread bits.
  void count_ones(const SenseOrder& order, const MisreadTables::Read& read, std::span<const double> levels);

  const std::size_t cells_;
  const CellPieces pieces_;  // the cells, divided among the threads of the simulation
  std::unordered_map<std::uint64_t, std::unique_ptr<Wordline>> stored_;
  std::unordered_map<std::uint64_t, Latches> latches_;
  Wordline drawn_;
  Wordline neighbour_;
  std::vector<float> rises_;
  std::vector<float> interference_;
  std::vector<float> aged_;
  std::vector<std::uint64_t> sensed_;
  std::vector<std::uint64_t> sensed_aside_;  // bits that were sensed at an offset
  std::vector<std::uint64_t> expected_;
};

}  // namespace nandscape::nand
