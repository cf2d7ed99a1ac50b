// SPDX-License-Identifier: Apache-2.0
#include "nand/timing.h"

#include "core/error.h"

namespace nandscape {

NandTiming::NandTiming(const NandTimingParameters& p)
    : t_prog(ticks_from_us(p.t_prog_us)),
      t_bers(ticks_from_us(p.t_bers_us)),
      t_suspend(ticks_from_us(p.t_suspend_us)),
      t_resume(ticks_from_us(p.t_resume_us)),
      t_rcbsy(ticks_from_us(p.t_rcbsy_us)) {
  if (p.senses.empty()) throw ConfigError({}, "nand.timing.senses", "is empty; give one number per bit of a cell");
  if (p.read == ReadTime::senses) {
    // Equation 1 of the read-retry paper: tR = N_SENSE x (tPRE + tEVAL + tDISCH).
    for (const double n : p.senses) t_read.push_back(ticks_from_us(n * (p.t_pre_us + p.t_eval_us + p.t_disch_us)));
  } else {
    if (p.t_read_us.size() != p.senses.size()) {
      throw ConfigError({}, "nand.timing.t_read_us",
                        "has " + std::to_string(p.t_read_us.size()) + " values, but nand.timing.senses has " +
                            std::to_string(p.senses.size()) + "; both need one per bit of a cell");
    }
    for (const double t : p.t_read_us) t_read.push_back(ticks_from_us(t));
  }
  for (const double n : p.senses) senses.push_back(static_cast<std::uint32_t>(n));
}

}  // namespace nandscape
