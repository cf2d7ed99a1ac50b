// SPDX-License-Identifier: Apache-2.0
#include "platform/config/ignored_keys.h"

#include "catch.h"
#include "platform/config/configuration.h"

namespace nandscape {
namespace {

std::vector<std::string> warnings_of(const std::vector<std::string>& assignments) {
  std::vector<Override> overrides;
  for (const std::string& assignment : assignments) overrides.push_back(parse_override(assignment));
  return load_configuration("bare", overrides).warnings();
}

using Lines = std::vector<std::string>;

TEST_CASE("every key that may be ignored is in the schema") { CHECK(declared_in_vain().empty()); }

TEST_CASE("given keys without effect are reported with the choice that disables them") {
  CHECK(warnings_of({"nand.condition.pe_cycles=100000"}) ==
        Lines{"nand.condition.pe_cycles does nothing, since simulation.cells is ideal"});
  CHECK(warnings_of({"nand.condition.pe_cycles=1000", "simulation.cells=statistical"}).empty());
  CHECK(warnings_of({"nand.cells.set=qlc_3d"}) ==
        Lines{"nand.cells.set does nothing, since simulation.cells is ideal"});
  CHECK(warnings_of({"controller.cache.prefetch_pages=4"}) ==
        Lines{"controller.cache.prefetch_pages does nothing, since controller.cache.policy is none"});
  CHECK(warnings_of({"controller.cache.prefetch_pages=4", "controller.cache.policy=write_back"}) ==
        Lines{"controller.cache.prefetch_pages does nothing, since controller.cache.policy keeps no reads"});
  CHECK(warnings_of({"controller.read_retry.timing_table=park_2021", "simulation.cells=statistical"}) ==
        Lines{"controller.read_retry.timing_table does nothing, since controller.read_retry.policy is not adaptive"});
  CHECK(warnings_of({"controller.content.page_spread=0.1"}) ==
        Lines{"controller.content.page_spread does nothing, since controller.write_mode.by_content is off"});
}

TEST_CASE("keys disabled by one choice are reported in one line") {
  CHECK(
      warnings_of({"nand.condition.pe_cycles=1", "nand.condition.retention_days=2"}) ==
      Lines{"nand.condition.pe_cycles and nand.condition.retention_days do nothing, since simulation.cells is ideal"});
}

TEST_CASE("values from a preset or a resolved configuration do not count as given") {
  CHECK(load_configuration("bare").warnings().empty());
  const Configuration asked = load_configuration("bare", {parse_override("nand.condition.pe_cycles=1000")});
  CHECK(asked.warnings().size() == 1);
  CHECK(resolve_configuration(asked.resolved).warnings().empty());
  CHECK(override_configuration(asked, {}).warnings() == asked.warnings());
  CHECK(override_configuration(asked, {parse_override("simulation.cells=statistical")}).warnings().empty());
}

}  // namespace
}  // namespace nandscape
