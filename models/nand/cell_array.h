// SPDX-License-Identifier: Apache-2.0
// What the cells of one die do, as its command machine sees it. The machine knows commands, modes and times; the cells
// know threshold voltages. Without a cell array (`simulation.cells: ideal`) every read is free of errors.
//
// Blocks are numbered over the planes of the die. A wordline holds one page per bit of its cells; pages of a wordline
// follow each other, and its cells are programmed when its last page arrives: until then the die holds the earlier
// pages in its latches, and reads them from there without an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/archive.h"
#include "core/ticks.h"
#include "nand/cells/condition.h"
#include "nand/cells/sense_timing.h"
#include "nand/coding/merging.h"

namespace nandscape::nand {

struct WordlineAddress {
  std::uint32_t block = 0;  // of the die
  std::uint32_t wordline = 0;
};

struct ProgramOrder {
  WordlineAddress where;
  const Coding* coding = nullptr;   // in which the wordline is programmed
  std::uint32_t page_type = 0;      // which bit of that coding; the last one programs the cells
  double step_mv = 0;               // ISPP step; 0 takes the device's own
  const std::byte* data = nullptr;  // the page, or null when the simulation keeps no data
  // Copyback: of the page as it was read from its old place. They are programmed with the data and stay.
  std::uint32_t inherited_bit_errors = 0;
  std::uint32_t data_bytes = 0;  // of `data`: with or without the spare bytes
};

struct AdjustOrder {
  WordlineAddress where;
  const Coding* from = nullptr;  // until now
  const Merging* merging = nullptr;
  std::uint32_t programmed_wordlines = 0;  // of the block
};

struct SenseOrder {
  WordlineAddress where;
  const Coding* coding = nullptr;  // in use on the wordline: the one it was programmed in, or merged by an adjustment
  std::uint32_t page_type = 0;     // of that coding
  std::uint32_t retry_step = 0;    // 0 reads at the default levels
  std::span<const std::int16_t> vref_offsets_mv;  // by read level of the cell, lowest first; empty: none
  SenseTiming timing;
  std::uint32_t first_byte = 0;  // of the page, with its share of the spare bytes
  std::uint32_t bytes = 0;
  std::uint32_t programmed_wordlines = 0;  // of the block
  Adjustments adjusted = {};
  // The page with its spare bytes, where the misread bits of the order are to be flipped; null: they are only counted.
  std::byte* data = nullptr;
  std::span<std::uint16_t> codeword_errors;  // counts for each codeword of the order; empty: nobody asks for them
  // More than one for a soft read. Errors are those of a sense at the read level itself, also where the number is even
  // and no sense is made there.
  std::uint32_t sensing_levels = 1;
  std::uint32_t earlier_levels = 0;  // of these, those that reads before have sensed
  // Soft reads that flip bits in `data`: by bit of the page, how many of the senses find a 1, in the codewords of the
  // order; empty: nobody asks for it.
  std::span<std::uint8_t> sensed_ones;
};

struct SenseResult {
  std::uint32_t raw_bit_errors = 0;
  std::uint32_t worst_codeword_errors = 0;
  double misread_probability = 0;  // soft reads: of a bit, by which the errors come about
};

class CellArray {
 public:
  virtual ~CellArray() = default;

  // Blocks that were bad when the die left its factory.
  virtual bool factory_bad(std::uint32_t block) const = 0;

  // How long programming takes, relative to the device's own step.
  virtual double program_time_factor(double step_mv) const = 0;

  // Return whether the die reports success.
  virtual bool program(const ProgramOrder& order, Tick now) = 0;
  virtual bool erase(std::uint32_t block, Tick now) = 0;

  // Moves the cells of a programmed wordline up to the states of the merged coding.
  virtual bool adjust(const AdjustOrder& order, Tick now) = 0;

  virtual SenseResult sense(const SenseOrder& order, Tick now) = 0;
  // The threshold voltages of the wordline's cells as such a sense would find them, in mV, to look at: nothing changes.
  // Empty where cells are not there one by one.
  virtual std::vector<float> threshold_voltages(const SenseOrder& /*order*/, Tick /*now*/) { return {}; }

  // The pages of a wordline whose last page has not come are lost: they were in the latches only.
  virtual void lose_latched_pages(WordlineAddress where) = 0;
  // Time that is not simulated passes, at that temperature.
  virtual void advance(double hours, double temperature_c) = 0;

  // Writes or reads back the state of the cells, in a simulation whose time is `now`. Ages are those at that time,
  // whatever the clock of the simulation that wrote them.
  virtual void persist(Archive& archive, Tick now) = 0;
};

}  // namespace nandscape::nand
