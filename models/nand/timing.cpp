// SPDX-License-Identifier: Apache-2.0
#include "nand/timing.h"

#include <string>

#include "core/error.h"
#include "nand/ispp/ispp.h"

namespace nandscape::nand {

namespace {

std::vector<std::uint32_t> senses_of(const Coding& coding) {
  std::vector<std::uint32_t> senses;
  for (std::uint32_t page = 0; page < coding.pages(); ++page) senses.push_back(coding.senses(page));
  return senses;
}

std::vector<double> times_of_a_sense(const NandTimingParameters& p, const std::vector<std::uint32_t>& senses) {
  // Equation 1 of the read-retry paper: tR = N_SENSE x (tPRE + tEVAL + tDISCH).
  if (p.read == ReadTime::senses) {
    return std::vector<double>(senses.size(), p.t_pre_us + p.t_eval_us + p.t_disch_us);
  }
  if (p.t_read_us.size() != senses.size()) {
    throw ConfigError({}, "nand.timing.t_read_us",
                      "has " + std::to_string(p.t_read_us.size()) + " values, but a cell of nand.coding has " +
                          std::to_string(senses.size()) + " bits; give one value for each");
  }
  std::vector<double> times;
  for (std::size_t page = 0; page < senses.size(); ++page) times.push_back(p.t_read_us[page] / senses[page]);
  return times;
}

std::vector<Tick> read_times(const std::vector<double>& sense_us, const std::vector<std::uint32_t>& senses) {
  std::vector<Tick> times;
  for (std::size_t page = 0; page < senses.size(); ++page) {
    times.push_back(ticks_from_us(senses[page] * sense_us[page]));
  }
  return times;
}

Tick program_time(const NandParameters& p) {
  if (p.timing.program == ProgramTime::given) return ticks_from_us(p.timing.t_prog_us);
  return ticks_from_us(expected_ispp(ispp_setup(p.cells)).latency_us(p.cells.ispp));
}

}  // namespace

NandTiming::NandTiming(const NandParameters& p)
    : codings(coding_named(p.coding)),
      senses(senses_of(codings.native())),
      sense_us(times_of_a_sense(p.timing, senses)),
      t_read(read_times(sense_us, senses)),
      phases{p.timing.t_pre_us, p.timing.t_eval_us, p.timing.t_disch_us},
      t_prog(program_time(p)),
      t_prog_slc(ticks_from_us(p.timing.t_prog_slc_us)),
      t_adjust(p.timing.t_adjust_us == 0 ? t_prog : ticks_from_us(p.timing.t_adjust_us)),
      t_bers(ticks_from_us(p.timing.t_bers_us)),
      t_suspend(ticks_from_us(p.timing.t_suspend_us)),
      t_resume(ticks_from_us(p.timing.t_resume_us)),
      t_rcbsy(ticks_from_us(p.timing.t_rcbsy_us)),
      t_pcbsy(ticks_from_us(p.timing.t_pcbsy_us)),
      t_rst_read(ticks_from_us(p.timing.t_rst_read_us)),
      t_rst_program(ticks_from_us(p.timing.t_rst_program_us)),
      t_rst_erase(ticks_from_us(p.timing.t_rst_erase_us)),
      t_feat(ticks_from_us(p.timing.t_feat_us)) {}

}  // namespace nandscape::nand
