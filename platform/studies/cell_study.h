// SPDX-License-Identifier: Apache-2.0
// The second facade: the cells of a configuration, `nand.cells` and `nand.coding`, without an SSD and without simulated
// time. Distributions of the statistical fidelity are returned in closed form; the per-cell fidelity is shown on the
// cells of one wordline.
//
// All functions throw std::invalid_argument for a number out of its range.
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

// The condition of a wordline, and which wordline it is.
struct WordlineCondition {
  double pe_cycles = 0;
  double months = 0;  // since its program, at 30 C
  double block_reads = 0;
  double temperature_c = 85;           // temperature during the read
  double step_mv = 0;                  // ISPP step of its program; 0: the device's own
  std::optional<std::uint32_t> layer;  // the median wordline of this layer; none: of the whole device
};

// Shares of the cells of one state whose threshold voltage is beyond the read levels on either side.
struct StateErrors {
  double lower = 0;  // read as a lower state
  double higher = 0;
};

// The cells of one wordline, by cell.
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

  // The number of senses that a read takes after states were merged, for each page of the device's coding; 0 for
  // invalid pages. Bit p of `valid_pages` is set if page p is valid.
  std::vector<std::uint32_t> senses(std::uint32_t valid_pages) const;
  // For each state, the state to which merging moves its cells.
  std::vector<std::uint8_t> merged_states(std::uint32_t valid_pages) const;

  // For each voltage: the density of the state's threshold voltages, per mV, and the share of the state's cells below
  // that voltage.
  std::vector<double> vth_density(std::uint32_t state, std::span<const double> voltages_mv,
                                  const WordlineCondition& wordline) const;
  std::vector<double> vth_below(std::uint32_t state, std::span<const double> voltages_mv,
                                const WordlineCondition& wordline) const;

  // The read levels between neighbouring states, lowest first.
  std::vector<double> levels(const WordlineCondition& wordline, std::uint32_t retry_step) const;
  std::vector<StateErrors> state_errors(const WordlineCondition& wordline, std::uint32_t retry_step) const;
  // The raw bit error rate of a page, including misreads of the senses.
  double rber(std::uint32_t page, const WordlineCondition& wordline, std::uint32_t retry_step) const;

  // The regions of a soft read of a page, with `levels_per_vref` (1 to 63) levels around each level of the retry step,
  // spaced by `spacing_mv`. Misreads of the senses are excluded.
  std::vector<nand::SoftRegion> soft_regions(std::uint32_t page, const WordlineCondition& wordline,
                                             std::uint32_t retry_step, std::uint32_t levels_per_vref,
                                             double spacing_mv) const;

  // The spacing of soft reads with `sensing_levels` (2 to 7) levels: the configured one, or the one with the highest
  // mutual information for the page at the wordline's optimum levels.
  double soft_spacing_mv(std::uint32_t page, const WordlineCondition& wordline, std::uint32_t sensing_levels) const;

  // All pages of the device. The result refers to this study. The layer and the step of `wordline` are ignored.
  nand::Population population(const WordlineCondition& wordline, const nand::CodewordLayout& layout) const;

  // Programming with this step (0: the device's own): the expectation for many cells, and a trace of `cells` random
  // cells.
  nand::IsppSetup ispp(double step_mv) const;
  nand::IsppResult program(double step_mv) const { return nand::expected_ispp(ispp(step_mv)); }
  double latency_us(const nand::IsppResult& result) const { return result.latency_us(device_.cells.ispp); }
  ProgramTrace program_trace(double step_mv, std::uint64_t seed, std::uint32_t cells) const;

  // Individual cells of a wordline, as a read of the per-cell fidelity finds them. The random variation of wordlines is
  // excluded, so the closed forms above are the distribution of these cells. Ages are rounded to the steps of
  // MisreadTables. The step must be the device's own.
  CellSample sample(const WordlineCondition& wordline, std::uint64_t seed, std::uint32_t cells) const;

 private:
  nand::WordlineReads reads(const WordlineCondition& wordline, std::uint32_t retry_step) const;
  nand::StateDistribution distribution(std::uint32_t state, const WordlineCondition& wordline) const;

  nand::NandParameters parameters_;
  nand::CellDevice device_;
};

}  // namespace nandscape
