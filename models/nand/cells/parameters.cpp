// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/parameters.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/error.h"

namespace nandscape::nand {

void describe(CellParameters& p, ParameterVisitor& v) {
  v.text("set", p.set,
         "cell set with the default constants of this group (see `nandscape cells`), or the path of such a file");
  v.group("placement", p.placement, "voltages of the states after programming");
  v.group("ispp", p.ispp, "incremental step pulse programming");
  v.group("wear", p.wear, "effect of program/erase cycles on the distributions");
  v.group("retention", p.retention, "effect of time on programmed cells");
  v.group("telegraph_noise", p.telegraph_noise, "random telegraph noise");
  v.group("interference", p.interference, "coupling from the next wordline");
  v.group("disturb", p.disturb, "effect of reads, and of programs of other wordlines");
  v.group("variation", p.variation, "differences between wordlines, layers and blocks");
  v.group("sensing", p.sensing, "misreads when the phases of a sense are short");
  v.group("read_levels", p.read_levels, "default read levels and the retry table");
  v.group("failures", p.failures, "bad blocks, program and erase failures");
  v.group("fitted", p.fitted, "range of the measurements behind these constants");
}

void check(const CellParameters& p, std::uint32_t states) {
  const std::size_t programmed = states - 1;
  const std::vector<double>& verify = p.placement.verify_mv;
  const auto needs = [&](std::size_t given) {
    return "has " + std::to_string(given) + " levels, but the cells of nand.coding have " + std::to_string(programmed) +
           " programmed states; choose a nand.cells.set for them (" + p.set + " is in use) or give as many levels";
  };
  if (verify.size() != programmed) {
    throw ConfigError({}, "nand.cells.placement.verify_mv", needs(verify.size()));
  }
  const auto rise = [](const std::vector<double>& levels) {
    return std::adjacent_find(levels.begin(), levels.end(), std::greater_equal<>()) == levels.end();
  };
  if (!rise(verify)) throw ConfigError({}, "nand.cells.placement.verify_mv", "levels must rise from state to state");
  if (verify.front() <= p.placement.erased_mean_mv) {
    throw ConfigError({}, "nand.cells.placement.verify_mv", "programmed states must lie above the erased one");
  }
  for (const auto* range :
       {&p.fitted.pe_cycles, &p.fitted.retention_months, &p.fitted.temperature_c, &p.fitted.block_reads}) {
    if (range->empty() || (range->size() == 2 && (*range)[0] <= (*range)[1])) continue;
    throw ConfigError({}, "nand.cells.fitted", "a range takes its least and its greatest value, or nothing");
  }
  const std::vector<double>& table = p.read_levels.retry_table_mv;
  if (!table.empty() && table.size() != programmed * p.read_levels.retry_steps) {
    throw ConfigError({}, "nand.cells.read_levels.retry_table_mv",
                      "has " + std::to_string(table.size()) + " entries; nand.cells.read_levels.retry_steps is " +
                          std::to_string(p.read_levels.retry_steps) + ", and each step needs " +
                          std::to_string(programmed) + " levels");
  }
  if (p.read_levels.kind != DefaultLevels::given) return;
  const std::vector<double>& given = p.read_levels.given_mv;
  if (given.size() != programmed) throw ConfigError({}, "nand.cells.read_levels.given_mv", needs(given.size()));
  if (!rise(given)) throw ConfigError({}, "nand.cells.read_levels.given_mv", "levels must rise from state to state");
}

}  // namespace nandscape::nand
