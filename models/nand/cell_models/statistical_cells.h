// SPDX-License-Identifier: Apache-2.0
// The cell model `simulation.cells: statistical`. Single cells are not simulated. Instead, the number of misread bits
// of a read is drawn at random, with the probability that the model computes in closed form for the condition of the
// wordline.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "nand/cell_models/ageing_cells.h"
#include "nand/cells/soft_sensing.h"

namespace nandscape::nand {

class StatisticalCells final : public AgeingCells {
 public:
  // The device must outlive the cells.
  StatisticalCells(const CellDevice& device, std::uint64_t seed, std::string_view die,
                   std::unique_ptr<InitialAges> ages = nullptr)
      : AgeingCells(device, seed, die, std::move(ages)) {}

 private:
  SenseResult sense_cells(const SenseOrder& order, const MisreadTables::Read& read,
                          std::uint32_t inherited_errors) override;

  // Flips `errors` random bits of a codeword in the page, and records their positions in flipped_.
  void flip(std::byte* page, std::uint32_t codeword, std::uint32_t errors);
  // Sets `sensed_ones` for the codeword for which flip() was called last.
  void count_ones(const SenseOrder& order, std::uint32_t codeword, const WrongSenses& senses);

  std::vector<std::uint16_t> counts_;   // errors by codeword
  std::vector<std::uint64_t> flipped_;  // flipped bits of the current codeword
};

}  // namespace nandscape::nand
