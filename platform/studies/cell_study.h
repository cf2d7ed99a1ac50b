// SPDX-License-Identifier: Apache-2.0
// A facade for the cells of a configuration (`nand.cells` and `nand.coding`), without an SSD and without simulated
// time. The distributions of the statistical cells are returned in closed form. The cells that are modelled one by one
// can be sampled for one wordline.
//
// All functions throw std::invalid_argument for a number that is out of its range.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nand/cell_models/cell_device.h"
#include "nand/cells/population.h"
#include "nand/cells/soft_sensing.h"
#include "nand/cells/wordline_reads.h"
#include "nand/ispp/ispp.h"
#include "platform/config/configuration.h"

namespace nandscape {

// Selects a wordline and describes its condition.
struct WordlineCondition {
  double pe_cycles = 0;
  double months = 0;  // time since the program, at 30 C
  double block_reads = 0;
  double temperature_c = 85;  // temperature during the read
  double step_mv = 0;         // ISPP step with which it was programmed; 0 stands for the device's own step
  // Selects the median wordline of this layer, or of the whole device if there is no value.
  std::optional<std::uint32_t> layer;
};

// For one state, the shares of its cells whose threshold voltage is below the lower read level and above the upper read
// level. These cells are misread.
struct StateErrors {
  double lower = 0;  // cells that are read as a lower state
  double higher = 0;
};

// The cells of one wordline, with one entry per cell in each vector.
struct CellSample {
  std::vector<float> vth_mv;
  std::vector<std::uint8_t> state;
};

struct ProgramTrace {
  nand::IsppResult result;
  std::vector<nand::IsppTracePoint> pulses;
  CellSample cells;  // after the last pulse
};

class CellStudy {
 public:
  explicit CellStudy(const Configuration& configuration);
  CellStudy(const CellStudy&) = delete;
  CellStudy& operator=(const CellStudy&) = delete;

  const nand::Coding& coding() const { return device_.coding; }

  // Returns, for each page of the device's coding, the number of senses that a read needs after states have been
  // merged. It is 0 for invalid pages. Bit p of `valid_pages` is set if page p is valid.
  std::vector<std::uint32_t> senses(std::uint32_t valid_pages) const;
  // Returns, for each state, the state to which its cells move when states are merged.
  std::vector<std::uint8_t> merged_states(std::uint32_t valid_pages) const;

  // Return a value for each voltage: the density of the state's threshold voltages, per mV, or the share of the state's
  // cells below this voltage.
  std::vector<double> vth_density(std::uint32_t state, std::span<const double> voltages_mv,
                                  const WordlineCondition& wordline) const;
  std::vector<double> vth_below(std::uint32_t state, std::span<const double> voltages_mv,
                                const WordlineCondition& wordline) const;

  // Returns the read levels between neighbouring states, beginning with the lowest.
  std::vector<double> levels(const WordlineCondition& wordline, std::uint32_t retry_step) const;
  std::vector<StateErrors> state_errors(const WordlineCondition& wordline, std::uint32_t retry_step) const;
  // Returns the raw bit error rate of a page, including misreads by the senses themselves.
  double rber(std::uint32_t page, const WordlineCondition& wordline, std::uint32_t retry_step) const;

  // Returns the regions that a soft read of a page distinguishes. It senses `levels_per_vref` (1 to 63) levels around
  // each level of the retry step, at a distance of `spacing_mv`. Misreads by the senses themselves are not included.
  std::vector<nand::SoftRegion> soft_regions(std::uint32_t page, const WordlineCondition& wordline,
                                             std::uint32_t retry_step, std::uint32_t levels_per_vref,
                                             double spacing_mv) const;

  // Returns the spacing of soft reads with `sensing_levels` (2 to 7) levels. It is the configured spacing or, if none
  // is configured, the spacing with the highest mutual information for the page at the optimum levels of the wordline.
  double soft_spacing_mv(std::uint32_t page, const WordlineCondition& wordline, std::uint32_t sensing_levels) const;

  // Returns the reads of all pages of the device in this condition. The result refers to this study, which must outlive
  // it. The layer and the step in `wordline` are ignored.
  nand::Population population(const WordlineCondition& wordline, const nand::CodewordLayout& layout) const;

  // These functions describe a program with an ISPP step; 0 stands for the device's own step. program() returns the
  // expectation for many cells, and program_trace() simulates `cells` random cells.
  nand::IsppSetup ispp(double step_mv) const;
  nand::IsppResult program(double step_mv) const { return nand::expected_ispp(ispp(step_mv)); }
  double latency_us(const nand::IsppResult& result) const { return result.latency_us(device_.cells.ispp); }
  ProgramTrace program_trace(double step_mv, std::uint64_t seed, std::uint32_t cells) const;

  // Returns individual cells of a wordline, as a read of the per-cell model senses them. The random variation between
  // wordlines is excluded, so the closed forms above are the distribution of these cells. Ages are rounded to the steps
  // of MisreadTables. The ISPP step of `wordline` must be the device's own.
  CellSample sample(const WordlineCondition& wordline, std::uint64_t seed, std::uint32_t cells) const;

 private:
  nand::WordlineReads reads(const WordlineCondition& wordline, std::uint32_t retry_step) const;
  nand::StateDistribution distribution(std::uint32_t state, const WordlineCondition& wordline) const;

  nand::NandParameters parameters_;
  nand::CellDevice device_;
};

}  // namespace nandscape
