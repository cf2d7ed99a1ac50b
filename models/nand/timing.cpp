// SPDX-License-Identifier: Apache-2.0
#include "nand/timing.h"

#include <string>

#include "core/error.h"
#include "nand/coding/coding.h"

namespace nandscape {

namespace {

std::vector<std::uint32_t> senses_of(const Coding& coding) {
  std::vector<std::uint32_t> senses;
  for (std::uint32_t page = 0; page < coding.pages(); ++page) senses.push_back(coding.senses(page));
  return senses;
}

std::vector<Tick> read_times(const NandTimingParameters& p, const std::vector<std::uint32_t>& senses) {
  std::vector<Tick> times;
  if (p.read == ReadTime::senses) {
    // Equation 1 of the read-retry paper: tR = N_SENSE x (tPRE + tEVAL + tDISCH).
    for (const std::uint32_t n : senses) times.push_back(ticks_from_us(n * (p.t_pre_us + p.t_eval_us + p.t_disch_us)));
    return times;
  }
  if (p.t_read_us.size() != senses.size()) {
    throw ConfigError({}, "nand.timing.t_read_us",
                      "has " + std::to_string(p.t_read_us.size()) + " values, but a cell of nand.coding has " +
                          std::to_string(senses.size()) + " bits; give one value for each");
  }
  for (const double t : p.t_read_us) times.push_back(ticks_from_us(t));
  return times;
}

}  // namespace

NandTiming::NandTiming(const NandParameters& p)
    : senses(senses_of(coding_named(p.coding))),
      t_read(read_times(p.timing, senses)),
      t_prog(ticks_from_us(p.timing.t_prog_us)),
      t_bers(ticks_from_us(p.timing.t_bers_us)),
      t_suspend(ticks_from_us(p.timing.t_suspend_us)),
      t_resume(ticks_from_us(p.timing.t_resume_us)),
      t_rcbsy(ticks_from_us(p.timing.t_rcbsy_us)) {}

}  // namespace nandscape
