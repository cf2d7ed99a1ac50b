// SPDX-License-Identifier: Apache-2.0
// Cells one by one (`simulation.cells: per_cell`): every threshold voltage of a programmed wordline is there, placed by
// ISPP pulses, aged and sensed. Both fidelities stand on the same constants and the same spread of wordlines; only what
// the closed form integrates is counted here.
//
// A wordline that is programmed during the simulation is stored, with five bytes for each cell (some 0.7 MB for pages
// of 16 KiB). What was there from the start is drawn again from its distribution whenever it is read.
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
  // The device must outlive it.
  PerCellCells(const CellDevice& device, std::uint64_t seed, std::string_view die,
               std::unique_ptr<InitialAges> ages = nullptr);

  // The threshold voltages of a wordline as a read now finds them, and the places that its cells were programmed to.
  struct Snapshot {
    std::vector<float> vth;
    std::vector<std::uint8_t> place;
  };
  Snapshot snapshot(const SenseOrder& order, Tick now);
  std::vector<float> threshold_voltages(const SenseOrder& order, Tick now) override { return snapshot(order, now).vth; }

 private:
  struct Wordline {
    std::vector<float> vth;  // as it was verified
    std::vector<std::uint8_t> place;
    // Without an adjustment empty: by how much adjustments have raised the cells, and what was coupled into them when
    // they were verified.
    std::vector<float> raised;
    std::vector<float> made_up;
    std::uint64_t key = 0;  // of everything random that happens to it
  };
  // Pages of a wordline whose last page is still to come.
  using Latches = std::vector<std::vector<std::byte>>;

  void program_cells(const ProgramOrder& order) override;
  void erase_cells(std::uint32_t block) override;
  void adjust_cells(const AdjustOrder& order, const MisreadTables::Read& history) override;
  SenseResult sense_cells(const SenseOrder& order, const MisreadTables::Read& read,
                          std::uint32_t inherited_errors) override;
  void lose_latched_cells(WordlineAddress where) override;
  void persist_cells(Archive& archive) override;

  std::uint64_t key_of(WordlineAddress where) const;
  StateDistribution erased(WordlineAddress where) const;
  // The wordline, drawn if it is not stored.
  const Wordline& wordline(WordlineAddress where, const Coding& coding);
  void draw(Wordline& wordline, WordlineAddress where, const Coding& coding, double step_mv) const;
  void age(const SenseOrder& order, const MisreadTables::Read& read);
  // Of each cell, by the neighbouring wordlines as they are; null: none.
  const float* interference(WordlineAddress where, const Coding& coding, std::uint32_t programmed_wordlines);
  void add_interference(WordlineAddress next, const Coding& coding);
  void add_interference(std::span<const float> rises);
  // Of the codewords of the order.
  SenseResult count(const SenseOrder& order) const;
  // In the data of the order, and nowhere else in its page.
  void flip_misread(const SenseOrder& order) const;
  // Senses the page at levels that are that far from where they belong.
  void sense_page_at(double offset_mv, const SenseOrder& order, const MisreadTables::Read& read,
                     std::span<const double> levels, std::vector<std::uint64_t>& bits);
  void flip_by_sensing(const SenseOrder& order, const MisreadTables::Read& read, const std::vector<float>& levels,
                       std::vector<std::uint64_t>& bits);
  // What a soft read finds of the data of the order, which are still free of errors.
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
  std::vector<std::uint64_t> sensed_aside_;  // at an offset
  std::vector<std::uint64_t> expected_;
};

}  // namespace nandscape::nand
