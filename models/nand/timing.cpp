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

std::vector<double> native_read_us(const NandTimingParameters& p, const std::vector<std::uint32_t>& senses) {
  // Equation 1 of [Park 2021], see cells/sensing.h: tR = N_SENSE x (tPRE + tEVAL + tDISCH).
  if (p.read == ReadTime::senses) {
    std::vector<double> times;
    times.reserve(senses.size());
    for (const std::uint32_t n : senses) times.push_back(n * (p.t_pre_us + p.t_eval_us + p.t_disch_us));
    return times;
  }
  if (p.t_read_us.size() != senses.size()) {
    throw ConfigError({}, "nand.timing.t_read_us",
                      "has " + std::to_string(p.t_read_us.size()) + " values, but a cell of nand.coding holds " +
                          std::to_string(senses.size()) + " bits; give one value for each");
  }
  return p.t_read_us;
}

// Computes NandTiming::read_us(), which describes the rule.
double coded_read_us(const std::vector<double>& native_us, const std::vector<std::uint32_t>& senses, std::size_t type,
                     std::uint32_t n) {
  if (senses[type] == n) return native_us[type];
  std::size_t fewer = senses.size(), more = senses.size();  // page types; senses.size() means that none has been found
  // The page's own type is checked first, so that it wins if several types are equally near.
  for (std::size_t k = 0; k < senses.size(); ++k) {
    const std::size_t other = k == 0 ? type : k <= type ? k - 1 : k;
    if (senses[other] == n) return native_us[other];
    std::size_t& nearest = senses[other] < n ? fewer : more;
    const auto distance = [&](std::size_t page) { return senses[page] < n ? n - senses[page] : senses[page] - n; };
    if (nearest == senses.size() || distance(other) < distance(nearest)) nearest = other;
  }
  if (fewer == senses.size()) return native_us[more] * n / senses[more];
  if (more == senses.size()) return native_us[fewer] * n / senses[fewer];
  const double part = static_cast<double>(n - senses[fewer]) / (senses[more] - senses[fewer]);
  return native_us[fewer] + part * (native_us[more] - native_us[fewer]);
}

std::vector<std::vector<double>> read_table(const std::vector<double>& native_us,
                                            const std::vector<std::uint32_t>& senses) {
  std::vector<std::vector<double>> table(senses.size());
  for (std::size_t type = 0; type < senses.size(); ++type) {
    for (std::uint32_t n = 0; n < 1u << senses.size(); ++n) {
      table[type].push_back(coded_read_us(native_us, senses, type, n));
    }
  }
  return table;
}

std::vector<Tick> read_times(const std::vector<double>& native_us) {
  std::vector<Tick> times;
  times.reserve(native_us.size());
  for (const double us : native_us) times.push_back(ticks_from_us(us));
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
      t_read(read_times(native_read_us(p.timing, senses))),
      phases{p.timing.t_pre_us, p.timing.t_eval_us, p.timing.t_disch_us},
      programs_wordlines(p.timing.program_unit == ProgramUnit::wordline),
      t_load(ticks_from_us(p.timing.t_load_us)),
      t_prog(program_time(p)),
      program_passes(p.timing.program_passes),
      t_prog_first(ticks_from_us(p.timing.t_prog_first_us)),
      t_prog_slc(ticks_from_us(p.timing.t_prog_slc_us)),
      step_mv(p.cells.placement.step_mv),
      t_adjust(p.timing.t_adjust_us == 0 ? t_prog : ticks_from_us(p.timing.t_adjust_us)),
      t_bers(ticks_from_us(p.timing.t_bers_us)),
      t_suspend(ticks_from_us(p.timing.t_suspend_us)),
      t_resume(ticks_from_us(p.timing.t_resume_us)),
      t_rcbsy(ticks_from_us(p.timing.t_rcbsy_us)),
      t_pcbsy(ticks_from_us(p.timing.t_pcbsy_us)),
      t_rst_read(ticks_from_us(p.timing.t_rst_read_us)),
      t_rst_program(ticks_from_us(p.timing.t_rst_program_us)),
      t_rst_erase(ticks_from_us(p.timing.t_rst_erase_us)),
      t_feat(ticks_from_us(p.timing.t_feat_us)),
      bits_(bits_per_cell()),
      read_us_(read_table(native_read_us(p.timing, senses), senses)) {}

}  // namespace nandscape::nand
