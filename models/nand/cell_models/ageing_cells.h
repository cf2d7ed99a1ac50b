// SPDX-License-Identifier: Apache-2.0
// What both fidelities of cells share: the histories of blocks, the spread of wordlines, bad blocks and failures, and
// the condition under which a wordline is sensed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/random.h"
#include "nand/cell_array.h"
#include "nand/cell_models/block_histories.h"
#include "nand/cell_models/cell_device.h"
#include "nand/cell_models/page_variations.h"

namespace nandscape::nand {

class AgeingCells : public CellArray {
 public:
  bool factory_bad(std::uint32_t block) const final;
  double program_time_factor(double step_mv) const final { return device_.program_time_factor(step_mv); }
  bool program(const ProgramOrder& order, Tick now) final;
  bool erase(std::uint32_t block, Tick now) final;
  bool adjust(const AdjustOrder& order, Tick now) final;
  SenseResult sense(const SenseOrder& order, Tick now) final;
  void lose_latched_pages(WordlineAddress where) final;
  void advance(double hours, double temperature_c) final;
  void persist(Archive& archive, Tick now) final;

 protected:
  // The device must outlive it.
  AgeingCells(const CellDevice& device, std::uint64_t seed, std::string_view die, std::unique_ptr<InitialAges> ages);

  // What happens to the cells themselves.
  virtual void program_cells(const ProgramOrder&) {}
  virtual void erase_cells(std::uint32_t /*block*/) {}
  virtual void adjust_cells(const AdjustOrder&, const MisreadTables::Read& /*history*/) {}
  virtual void lose_latched_cells(WordlineAddress) {}
  virtual void persist_cells(Archive&) {}
  // The inherited errors lie anywhere in the page, of which the order may take a part.
  virtual SenseResult sense_cells(const SenseOrder& order, const MisreadTables::Read& read,
                                  std::uint32_t inherited_errors) = 0;

  // What the wordline has been through until now, and the condition in which it is sensed.
  MisreadTables::Read history(WordlineAddress where, std::uint32_t programmed_wordlines, Tick now) const;
  MisreadTables::Read reading(const SenseOrder& order, Tick now);
  // What reads of the wordline misread in that condition, and the levels at which the order reads it, one between each
  // two neighbouring states.
  WordlineReads wordline_reads(const SenseOrder& order, const MisreadTables::Read& read) const;
  std::vector<double> levels(const MisreadTables::Read& read, const WordlineReads& wordline) const;
  // Those of a soft read, from each of them.
  std::vector<double> offsets(const SenseOrder& order, const MisreadTables::Read& read) const;
  // So many more reads have disturbed the block.
  void count_reads(std::uint32_t block, std::size_t reads);

  const CellDevice& device_;
  const std::uint64_t seed_;
  RandomStream random_;
  PageVariations variations_;
  BlockHistories histories_;

 private:
  // Of a wordline whose programming was out of the ordinary: the ISPP step, and the errors that its pages inherited by
  // copyback.
  struct Peculiarity {
    double step_mv = 0;
    std::array<std::uint32_t, 4> inherited{};
  };

  const Peculiarity* peculiarity(WordlineAddress where) const;
  bool fails(double at_rated, std::uint32_t block);
  void check_drift(const Archive& archive, Tick now) const;

  std::unordered_map<std::uint64_t, Peculiarity> peculiar_;  // by wordline number
};

}  // namespace nandscape::nand
