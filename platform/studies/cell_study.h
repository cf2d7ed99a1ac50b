// SPDX-License-Identifier: Apache-2.0
// The second facade: the cells of a configuration, `nand.cells` and `nand.coding`, without an SSD round them and
// without simulated time. What the statistical fidelity draws from is answered in closed form; what the per-cell
// fidelity does is shown on the cells of one wordline.
//
// A number out of its range throws std::invalid_argument.
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

// What a wordline has been through when it is looked at, and which one it is.
struct WordlineCondition {
  double pe_cycles = 0;
  double months = 0;  // since it was programmed, at 30 C
  double block_reads = 0;
  double temperature_c = 85;           // at which it is read
  double step_mv = 0;                  // with which it was programmed; 0: the device's own
  std::optional<std::uint32_t> layer;  // of which it is the median wordline; none: of the device
};

// Shares of the cells of one state whose threshold voltage lies beyond the read levels on either side.
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

  // By page of the device's coding: how many senses a read takes once pages have become invalid and states are merged;
  // bit p of `valid_pages` tells that page p is valid. 0 for invalid pages.
  std::vector<std::uint32_t> senses(std::uint32_t valid_pages) const;
  // By state: the state to which its cells move then.
  std::vector<std::uint8_t> merged_states(std::uint32_t valid_pages) const;

  // Of the threshold voltages of a state, at each of the voltages: the density, per mV, and the share below.
  std::vector<double> vth_density(std::uint32_t state, std::span<const double> voltages_mv,
                                  const WordlineCondition& wordline) const;
  std::vector<double> vth_below(std::uint32_t state, std::span<const double> voltages_mv,
                                const WordlineCondition& wordline) const;

  // One level between each two neighbouring states, lowest first.
  std::vector<double> levels(const WordlineCondition& wordline, std::uint32_t retry_step) const;
  std::vector<StateErrors> state_errors(const WordlineCondition& wordline, std::uint32_t retry_step) const;
  // The raw bit error rate of a page, misreads of the senses included.
  double rber(std::uint32_t page, const WordlineCondition& wordline, std::uint32_t retry_step) const;

  // What a soft read of a page finds that senses at so many levels round each of the retry step's, 1 to 63, evenly
  // spaced by so many mV. Misreads of the senses are left out.
  std::vector<nand::SoftRegion> soft_regions(std::uint32_t page, const WordlineCondition& wordline,
                                             std::uint32_t retry_step, std::uint32_t levels_per_vref,
                                             double spacing_mv) const;

  // The spacing that soft reads of so many levels, 2 to 7, have: the configuration's, or the one that tells most about
  // the page at the wordline's optimum levels.
  double soft_spacing_mv(std::uint32_t page, const WordlineCondition& wordline, std::uint32_t sensing_levels) const;

  // All pages of the device. Refers to this study; of the wordline's condition, layer and step play no role.
  nand::Population population(const WordlineCondition& wordline, const nand::CodewordLayout& layout) const;

  // Programming with this step, 0 taking the device's own: as expected of many cells, and of `cells` random ones.
  nand::IsppSetup ispp(double step_mv) const;
  nand::IsppResult program(double step_mv) const { return nand::expected_ispp(ispp(step_mv)); }
  double latency_us(const nand::IsppResult& result) const { return result.latency_us(device_.cells.ispp); }
  ProgramTrace program_trace(double step_mv, std::uint64_t seed, std::uint32_t cells) const;

  // Cells of a wordline one by one, as a read of the per-cell fidelity finds them. The random variation of wordlines is
  // left out, so that the closed forms above are their distribution; ages count in the steps of MisreadTables. The step
  // must be the device's own.
  CellSample sample(const WordlineCondition& wordline, std::uint64_t seed, std::uint32_t cells) const;

 private:
  nand::WordlineReads reads(const WordlineCondition& wordline, std::uint32_t retry_step) const;
  nand::StateDistribution distribution(std::uint32_t state, const WordlineCondition& wordline) const;

  nand::NandParameters parameters_;
  nand::CellDevice device_;
};

}  // namespace nandscape
