// SPDX-License-Identifier: Apache-2.0
// Cells one by one (`simulation.cells: per_cell`): every threshold voltage of a programmed wordline is represented,
// placed by ISPP pulses, aged and sensed. Both fidelities use the same constants and the same spread of wordlines; this
// one counts misreads where the closed form integrates.
//
// A wordline that is programmed in the simulation is stored with five bytes for each cell, some 0.7 MB for pages of 16
// KiB. Wordlines programmed before the start are drawn again from their distribution whenever they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nand/cell_models/ageing_cells.h"

namespace nandscape::nand {

class PerCellCells final : public AgeingCells {
 public:
  // The device must outlive the cells.
  PerCellCells(const CellDevice& device, std::uint64_t seed, std::string_view die,
               std::unique_ptr<InitialAges> ages = nullptr);

  // The threshold voltages that a read of the wordline would find now, and the places to which its cells were
  // programmed.
  struct Snapshot {
    std::vector<float> vth;
    std::vector<std::uint8_t> place;
  };
  Snapshot snapshot(const SenseOrder& order, Tick now);
  std::vector<float> threshold_voltages(const SenseOrder& order, Tick now) override { return snapshot(order, now).vth; }

 private:
  struct Wordline {
    std::vector<float> vth;  // at verify
    std::vector<std::uint8_t> place;
    // Empty without an adjustment. `raised`: by how much adjustments have raised each cell. `made_up`: the coupling
    // already present when the cell was verified again.
    std::vector<float> raised;
    std::vector<float> made_up;
    std::uint64_t key = 0;  // key of all random draws of the wordline
  };
  // Latched pages of a wordline that is still incomplete.
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
  // Returns the stored wordline, or draws it if it is not stored.
  const Wordline& wordline(WordlineAddress where, const Coding& coding);
  void draw(Wordline& wordline, WordlineAddress where, const Coding& coding, double step_mv) const;
  void age(const SenseOrder& order, const MisreadTables::Read& read);
  // Shift of each cell by its neighbouring wordlines in their present state; null if there is none.
  const float* interference(WordlineAddress where, const Coding& coding, std::uint32_t programmed_wordlines);
  void add_interference(WordlineAddress next, const Coding& coding);
  void add_interference(std::span<const float> rises);
  // Counts the misreads in the codewords of the order.
  SenseResult count(const SenseOrder& order) const;
  // Flips misread bits in the data of the order, and nowhere else in the page.
  void flip_misread(const SenseOrder& order) const;
  // Senses the page with all levels shifted by `offset_mv`.
  void sense_page_at(double offset_mv, const SenseOrder& order, const MisreadTables::Read& read,
                     std::span<const double> levels, std::vector<std::uint64_t>& bits);
  void flip_by_sensing(const SenseOrder& order, const MisreadTables::Read& read, const std::vector<float>& levels,
                       std::vector<std::uint64_t>& bits);
  // Fills `sensed_ones` of a soft read. The data of the order must still be free of errors.
  void count_ones(const SenseOrder& order, const MisreadTables::Read& read, std::span<const double> levels);

  const std::size_t cells_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Wordline>> stored_;
  std::unordered_map<std::uint64_t, Latches> latches_;
  Wordline drawn_;
  Wordline neighbour_;
  std::vector<float> rises_;
  std::vector<float> interference_;
  std::vector<float> aged_;
  std::vector<std::uint64_t> sensed_;
  std::vector<std::uint64_t> sensed_aside_;  // bits sensed at an offset
  std::vector<std::uint64_t> expected_;
};

}  // namespace nandscape::nand
