// SPDX-License-Identifier: Apache-2.0
// The interface between a die's command machine and its cells. The machine knows commands, modes and times; the cells
// know threshold voltages. Without a cell array (`simulation.cells: ideal`) every read is free of errors.
//
// Blocks are numbered over the planes of the die. A wordline holds one page per bit of its cells. The pages of a
// wordline have consecutive numbers. Its cells are programmed when its last page arrives; until then the die keeps the
// earlier pages in its latches and reads them from there without errors.
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
  std::uint32_t page_type = 0;      // bit of that coding; the last one programs the cells
  double step_mv = 0;               // ISPP step; 0: the device's own
  const std::byte* data = nullptr;  // the page, or null when the simulation keeps no data
  // Copyback: bit errors of the page as read from its source. They are programmed with the data and persist.
  std::uint32_t inherited_bit_errors = 0;
  std::uint32_t data_bytes = 0;  // length of `data`, with or without the spare bytes
};

struct AdjustOrder {
  WordlineAddress where;
  const Coding* from = nullptr;  // coding before the adjustment
  const Merging* merging = nullptr;
  std::uint32_t programmed_wordlines = 0;  // programmed wordlines of the block
};

struct SenseOrder {
  WordlineAddress where;
  const Coding* coding = nullptr;  // the wordline's present coding: as programmed, or as merged by an adjustment
  std::uint32_t page_type = 0;     // page type in that coding
  std::uint32_t retry_step = 0;    // 0 reads at the default levels
  std::span<const std::int16_t> vref_offsets_mv;  // by read level of the cell, lowest first; empty: none
  SenseTiming timing;
  std::uint32_t first_byte = 0;  // the part of the page sensed, with its share of the spare bytes
  std::uint32_t bytes = 0;
  std::uint32_t programmed_wordlines = 0;  // programmed wordlines of the block
  Adjustments adjusted = {};
  // The page with its spare bytes, in which misread bits are flipped; if null, misread bits are only counted.
  std::byte* data = nullptr;
  std::span<std::uint16_t> codeword_errors;  // errors of each codeword of the order; empty: not requested
  // More than one for a soft read. Errors are counted at the read level itself, even if the number of levels is even
  // and no sense is made there.
  std::uint32_t sensing_levels = 1;
  std::uint32_t earlier_levels = 0;  // levels among these that earlier reads have sensed
  // For soft reads with `data`: receives for each bit of the page how many senses read a 1. Only the codewords of the
  // order are filled in. Empty: not requested.
  std::span<std::uint8_t> sensed_ones;
};

struct SenseResult {
  std::uint32_t raw_bit_errors = 0;
  std::uint32_t worst_codeword_errors = 0;
  double misread_probability = 0;  // soft reads: probability of a bit error from which the errors were drawn
};

class CellArray {
 public:
  virtual ~CellArray() = default;

  // Whether the block was bad when the die left the factory.
  [[nodiscard]] virtual bool factory_bad(BlockInDie block) const = 0;

  // Program time with that ISPP step, relative to the device's own step.
  virtual double program_time_factor(double step_mv) const = 0;

  // program(), erase() and adjust() return whether the die reports success.
  [[nodiscard]] virtual bool program(const ProgramOrder& order, Tick now) = 0;
  [[nodiscard]] virtual bool erase(BlockInDie block, Tick now) = 0;

  // Raises the cells of a programmed wordline to the states of the merged coding.
  [[nodiscard]] virtual bool adjust(const AdjustOrder& order, Tick now) = 0;

  [[nodiscard]] virtual SenseResult sense(const SenseOrder& order, Tick now) = 0;
  // Returns the threshold voltages, in mV, that this sense would see, and changes nothing. Empty if cells are not
  // modelled one by one.
  virtual std::vector<float> threshold_voltages(const SenseOrder& /*order*/, Tick /*now*/) { return {}; }

  // Drops the latched pages of a wordline whose last page has not been programmed.
  virtual void lose_latched_pages(WordlineAddress where) = 0;
  // Ages the cells by unsimulated time at that temperature.
  virtual void advance(double hours, double temperature_c) = 0;

  // Saves or restores the state of the cells in a simulation whose time is `now`. Ages are kept even if the saving and
  // the restoring simulation have different times.
  virtual void persist(Archive& archive, Tick now) = 0;
};

}  // namespace nandscape::nand
