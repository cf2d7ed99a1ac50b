// SPDX-License-Identifier: Apache-2.0
// The base class of both cell models that have errors. It manages the block histories, the variation between wordlines,
// bad blocks and failures, and computes the condition under which a wordline is sensed.
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
  bool factory_bad(BlockInDie block) const final;
  double program_time_factor(double step_mv) const final { return device_.program_time_factor(step_mv); }
  bool program(const ProgramOrder& order, Tick now) final;
  bool erase(BlockInDie block, Tick now) final;
  bool adjust(const AdjustOrder& order, Tick now) final;
  SenseResult sense(const SenseOrder& order, Tick now) final;
  void lose_latched_pages(WordlineAddress where) final;
  void advance(double hours, double temperature_c) final;
  void persist(Archive& archive, Tick now) final;

 protected:
  // The device must outlive the cells.
  AgeingCells(const CellDevice& device, std::uint64_t seed, std::string_view die, std::unique_ptr<InitialAges> ages);

  // Functions that the cell models override to simulate the cells themselves.
  virtual void program_cells(const ProgramOrder&) {}
  virtual void erase_cells(BlockInDie /*block*/) {}
  virtual void adjust_cells(const AdjustOrder&, const MisreadTables::Read& /*history*/) {}
  virtual void lose_latched_cells(WordlineAddress) {}
  virtual void persist_cells(Archive&) {}
  // Senses the cells of a page or of a part of it. `inherited_errors` is the number of errors that a copyback has
  // programmed. They are distributed over the whole page, while the order may cover only a part of the page.
  virtual SenseResult sense_cells(const SenseOrder& order, const MisreadTables::Read& read,
                                  std::uint32_t inherited_errors) = 0;

  // history() returns the history of the wordline up to `now`. reading() also includes the settings of the order, which
  // gives the complete condition of the read.
  MisreadTables::Read history(WordlineAddress where, std::uint32_t programmed_wordlines, Tick now) const;
  MisreadTables::Read reading(const SenseOrder& order, Tick now);
  // wordline_reads() returns the misread probabilities of the wordline under that condition. levels() returns the
  // voltages at which the order reads the wordline, one for each pair of neighbouring states.
  WordlineReads wordline_reads(const SenseOrder& order, const MisreadTables::Read& read) const;
  std::vector<double> levels(const MisreadTables::Read& read, const WordlineReads& wordline) const;
  // Returns the offsets from these levels at which a soft read senses the wordline.
  std::vector<double> offsets(const SenseOrder& order, const MisreadTables::Read& read) const;

  const CellDevice& device_;
  const std::uint64_t seed_;
  RandomStream random_;
  PageVariations variations_;
  BlockHistories histories_;

 private:
  // Stored for a wordline that was programmed with another ISPP step than the device's default step, or whose pages
  // have inherited errors by a copyback.
  struct Peculiarity {
    double step_mv = 0;
    std::array<std::uint32_t, 4> inherited{};
  };

  // Converts simulated time to time at the configured temperature, which the histories use.
  Tick aged(Tick now) const { return device_.temperature->aged(now); }
  const Peculiarity* peculiarity(WordlineAddress where) const {
    return peculiar_.empty() ? nullptr : known_peculiarity(where);
  }
  const Peculiarity* known_peculiarity(WordlineAddress where) const;
  bool fails(double at_rated, BlockInDie block);
  void check_drift(const Archive& archive, Tick now) const;

  // Effects that are switched on. Reads are counted only if they disturb cells.
  const bool reads_disturb_;
  const bool programs_disturb_;
  const bool interferes_;
  std::unordered_map<std::uint64_t, Peculiarity> peculiar_;  // by wordline number
};

}  // namespace nandscape::nand
