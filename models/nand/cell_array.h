// SPDX-License-Identifier: Apache-2.0
// The interface between the command logic of a die and its cells. The command logic handles commands, modes and times;
// the cell array models threshold voltages. Without a cell array (`simulation.cells: ideal`), reads have no errors.
//
// Block numbers count the blocks of all planes of the die. A wordline holds one page for each bit of its cells, and
// these pages have consecutive numbers. The cells of a wordline are programmed when its last page arrives. Until then
// the die holds the earlier pages in its latches and reads them from the latches without errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/archive.h"
#include "core/ids.h"
#include "core/ticks.h"
#include "nand/cells/condition.h"
#include "nand/cells/sense_timing.h"
#include "nand/coding/merging.h"

namespace nandscape::nand {

struct WordlineAddress {
  BlockInDie block{0};
  std::uint32_t wordline = 0;
};

struct ProgramOrder {
  WordlineAddress where;
  const Coding* coding = nullptr;   // coding in which the wordline is programmed
  std::uint32_t page_type = 0;      // bit of the cells in this coding; the program of the last bit programs the cells
  double step_mv = 0;               // ISPP step; 0: the default step of the device
  const std::byte* data = nullptr;  // the page, or null if the simulation keeps no data
  // For a copyback program: the bit errors with which the page was read from its source. They are programmed with the
  // data and persist.
  std::uint32_t inherited_bit_errors = 0;
  std::uint32_t data_bytes = 0;  // length of `data`, with or without the spare bytes
};

struct AdjustOrder {
  WordlineAddress where;
  const Coding* from = nullptr;  // coding of the wordline before the adjustment
  const Merging* merging = nullptr;
  std::uint32_t programmed_wordlines = 0;  // programmed wordlines of the block
};

struct SenseOrder {
  WordlineAddress where;
  const Coding* coding = nullptr;  // coding of the wordline: as programmed, or as merged by a voltage adjustment
  std::uint32_t page_type = 0;     // page type in that coding
  std::uint32_t retry_step = 0;    // 0 reads at the default levels
  std::span<const std::int16_t> vref_offsets_mv;  // for each read level of the cell, lowest first; empty: no offsets
  const SenseTiming* timing = nullptr;            // null: the default times of the device
  // The part of the page to read. The spare bytes that belong to this part are read too.
  std::uint32_t first_byte = 0;
  std::uint32_t bytes = 0;
  std::uint32_t programmed_wordlines = 0;  // programmed wordlines of the block
  Adjustments adjusted = {};
  // The page with its spare bytes. sense() flips the misread bits in it. If null, misread bits are only counted.
  std::byte* data = nullptr;
  // Receives the number of errors of each codeword in the part. Empty if the caller does not need these numbers.
  std::span<std::uint16_t> codeword_errors;
  // Number of senses at each read level; more than 1 for a soft read. Errors are always counted at the read level
  // itself, although a soft read with an even number of senses makes none there.
  std::uint32_t sensing_levels = 1;
  std::uint32_t earlier_levels = 0;  // how many of these senses earlier reads have already made
  // For soft reads with `data`: receives, for each bit of the page, the number of senses that read a 1. Only the
  // codewords in the part are filled in. Empty if the caller does not need these numbers.
  std::span<std::uint8_t> sensed_ones;
};

struct SenseResult {
  std::uint32_t raw_bit_errors = 0;
  std::uint32_t worst_codeword_errors = 0;
  double misread_probability = 0;  // soft reads: the bit error probability from which the number of errors was drawn
};

class CellArray {
 public:
  virtual ~CellArray() = default;

  // Returns true if the block was already bad when the die left the factory.
  [[nodiscard]] virtual bool factory_bad(BlockInDie block) const = 0;

  // Returns the program time with the ISPP step `step_mv`, divided by the program time with the device's default step.
  virtual double program_time_factor(double step_mv) const = 0;

  // program(), erase() and adjust() return true if the die reports success.
  [[nodiscard]] virtual bool program(const ProgramOrder& order, Tick now) = 0;
  [[nodiscard]] virtual bool erase(BlockInDie block, Tick now) = 0;

  // Performs a voltage adjustment: raises the cells of a programmed wordline to the states of the merged coding.
  [[nodiscard]] virtual bool adjust(const AdjustOrder& order, Tick now) = 0;

  [[nodiscard]] virtual SenseResult sense(const SenseOrder& order, Tick now) = 0;
  // Returns the threshold voltages of the wordline's cells, in mV, as the given sense would see them, and changes
  // nothing. Returns an empty vector if the model does not represent single cells.
  virtual std::vector<float> threshold_voltages(const SenseOrder& /*order*/, Tick /*now*/) { return {}; }

  // Discards the pages in the latches of a wordline whose last page has not been programmed.
  virtual void lose_latched_pages(WordlineAddress where) = 0;
  // Ages the cells by a time that is not simulated, at the given temperature.
  virtual void advance(double hours, double temperature_c) = 0;

  // Saves or restores the state of the cells. `now` is the current time of the simulation that saves or restores. Ages
  // are preserved even if these two simulations have different current times.
  virtual void persist(Archive& archive, Tick now) = 0;
};

}  // namespace nandscape::nand
