// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "catch.h"
#include "nand/coding/coding.h"
#include "platform/config/configuration.h"
#include "platform/config/configuration_files.h"
#include "platform/config/yaml_reader.h"
#include "unit/platform/temporary_folder.h"

using namespace nandscape;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

Value tree_of(const std::string& text) { return read_yaml(text, {"drive.yaml", 1}); }

nand::CellParameters cells_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  return resolve_configuration(tree_of(text), overrides).parameters.nand.cells;
}

}  // namespace

TEST_CASE("every cell set loads, has a description, and fits cells of its number of states") {
  const std::map<std::string, std::string> coding_of = {
      {"slc", "slc"}, {"mlc", "mlc_13"}, {"tlc", "tlc_232"}, {"nie", "tlc_232"}, {"qlc", "qlc_4434"}};
  const auto sets = list_cell_sets();
  REQUIRE(sets.size() >= 6);
  for (const auto& [name, comment] : sets) {
    CAPTURE(name);
    CHECK_THAT(comment, EndsWith("."));
    const std::string coding = coding_of.at(name.substr(0, 3));
    const nand::CellParameters cells = cells_of("nand: {coding: " + coding + ", cells: {set: " + name + "}}");
    CHECK(cells.set == name);
    CHECK_NOTHROW(check(cells, nand::coding_named(coding).states()));
    const std::uint32_t one_more_bit = 2 * nand::coding_named(coding).states();
    CHECK_THROWS_WITH(check(cells, one_more_bit), Contains("(" + name + " is in use)"));
  }
}

TEST_CASE("impossible levels are refused") {
  const std::uint32_t states = 4;
  const nand::CellParameters sound = cells_of("nand: {coding: mlc_13, cells: {set: mlc_planar_15k}}");
  nand::CellParameters p = sound;
  p.placement.verify_mv[2] = p.placement.verify_mv[1];
  CHECK_THROWS_WITH(check(p, states), Contains("verify_mv") && Contains("levels must rise"));
  p = sound;
  p.placement.erased_mean_mv = p.placement.verify_mv[0];
  CHECK_THROWS_WITH(check(p, states), Contains("must lie above the erased one"));
  p = sound;
  p.read_levels.given_mv = {3000, 7000, 5000};
  CHECK_THROWS_WITH(check(p, states), Contains("given_mv") && Contains("levels must rise"));
  p.read_levels.kind = nand::DefaultLevels::optimum;
  CHECK_NOTHROW(check(p, states));
}

TEST_CASE("cells are those of the standard set unless a set is named") {
  CHECK(cells_of("").sensing.precharge_median_us > 0);
  CHECK(cells_of("").sensing.precharge_median_us ==
        cells_of("nand: {cells: {set: tlc_3d_48}}").sensing.precharge_median_us);
  CHECK(cells_of("nand:\n").set == "tlc_3d_48");
  CHECK(cells_of("nand:\n  cells:\n").set == "tlc_3d_48");
}

TEST_CASE("keys of nand.cells change single constants of the set") {
  const nand::CellParameters standard = cells_of("nand: {cells: {set: mlc_planar_15k}}");
  const nand::CellParameters changed = cells_of("nand: {cells: {set: mlc_planar_15k, retention: {wear_exponent: 0.6}}}",
                                                {{"nand.cells.placement.step_mv", 200}});
  CHECK(changed.placement.step_mv == 200);
  CHECK(changed.retention.wear_exponent == 0.6);
  CHECK(changed.placement.verify_mv == standard.placement.verify_mv);
  CHECK(changed.retention.wear_shift_mv == standard.retention.wear_shift_mv);
}

TEST_CASE("an override chooses the set, in any order") {
  const Override set = {"nand.cells.set", "mlc_planar_15k"};
  const Override step = {"nand.cells.placement.step_mv", 200};
  const Value one = load_configuration("bare", {set, step}).resolved;
  CHECK(one.at("nand.cells.placement.step_mv") == Value(200.0));
  CHECK(one.at("nand.cells.telegraph_noise.lambda_mv").number() > 10);
  CHECK(load_configuration("bare", {step, set}).resolved == one);
}

// Constants in a lower layer that were given for a different cell set do not apply, as with parameters of variants.
TEST_CASE("choosing another set drops the constants given for the previous one") {
  const std::string changed = "nand: {cells: {placement: {step_mv: 200}}}";
  const double of_the_set = cells_of("nand: {cells: {set: mlc_planar_15k}}").placement.step_mv;
  CHECK(cells_of(changed, {{"nand.cells.set", "mlc_planar_15k"}}).placement.step_mv == of_the_set);
  CHECK(cells_of(changed, {{"nand.cells.set", "tlc_3d_48"}}).placement.step_mv == 200);

  const TemporaryFolder folder;
  folder.write("base.yaml", "extends: bare\n" + changed + "\n");
  const std::string mlc = folder.write("mlc.yaml", "extends: base.yaml\nnand: {cells: {set: mlc_planar_15k}}\n");
  const std::string tlc = folder.write("tlc.yaml", "extends: base.yaml\nnand: {coding: tlc_124}\n");
  CHECK(load_configuration(mlc).parameters.nand.cells.placement.step_mv == of_the_set);
  CHECK(load_configuration(tlc).parameters.nand.cells.placement.step_mv == 200);
}

TEST_CASE("overriding the set of a resolved configuration replaces all constants") {
  const Value tlc = load_configuration("bare").resolved;
  const Override set = {"nand.cells.set", "mlc_planar_15k"};
  CHECK(resolve_configuration(tlc, {set}).resolved == load_configuration("bare", {set}).resolved);
}

TEST_CASE("a set can be a user's file, which its resolved configuration no longer needs") {
  const TemporaryFolder folder;
  const std::string file = folder.write("mine.yaml", "placement: {step_mv: 123}\n");
  const Configuration configuration = resolve_configuration(tree_of("nand: {cells: {set: " + file + "}}"));
  CHECK(configuration.parameters.nand.cells.placement.step_mv == 123);
  CHECK(configuration.parameters.nand.cells.set == file);
  folder.write("mine.yaml", "placement: {step_mv: 321}\n");
  CHECK(resolve_configuration(configuration.resolved).resolved == configuration.resolved);
  std::filesystem::remove(file);
  CHECK(resolve_configuration(tree_of(configuration.to_yaml())).resolved == configuration.resolved);
}

TEST_CASE("an error for an unknown set names the nearest, and all") {
  CHECK_THROWS_WITH(cells_of("nand:\n  cells:\n    set: tlc_3d_84\n"),
                    Contains("drive.yaml:3: nand.cells.set: no cell set is named 'tlc_3d_84'; did you mean "
                             "tlc_3d_48? The cell sets are mlc_planar_15k, ") &&
                        Contains("tlc_3d_48"));
  CHECK_THROWS_WITH(cells_of("", {parse_override("nand.cells.set=unheard_of")}),
                    Contains("--set: nand.cells.set: no cell set is named 'unheard_of'. The cell sets are"));
}

TEST_CASE("an error in the file of a set names that file") {
  const TemporaryFolder folder;
  const auto load = [](const std::string& file) { return cells_of("nand: {cells: {set: " + file + "}}"); };
  const std::string typo = folder.write("typo.yaml", "placement:\n  stp_mv: 250\n");
  CHECK_THROWS_WITH(load(typo), Contains(typo + ":2: nand.cells.placement.stp_mv: unknown key"));
  const std::string range = folder.write("range.yaml", "wear: {tail_growth: -1}\n");
  CHECK_THROWS_WITH(load(range), Contains(range + ":1: nand.cells.wear.tail_growth: -1 is out of range"));
  const std::string list = folder.write("list.yaml", "- 1\n");
  CHECK_THROWS_WITH(load(list), list + ": is not a group of keys");
  const std::string nested = folder.write("nested.yaml", "# Comment.\nset: tlc_3d_48\n");
  CHECK_THROWS_WITH(load(nested), nested + ":2: nand.cells.set: a cell set cannot extend another one");
}

TEST_CASE("an invalid set or group is refused as any other value") {
  CHECK_THROWS_WITH(cells_of("nand: {cells: {set: 3}}"), Contains("drive.yaml:1: nand.cells.set: expected"));
  CHECK_THROWS_WITH(cells_of("nand: {cells: fine}"), Contains("nand.cells: expected a group of keys, got 'fine'"));
  CHECK_THROWS_WITH(cells_of("nand: [1]"), Contains("nand: expected a group of keys"));
}

TEST_CASE("cell sets can be in another folder") {
  const std::filesystem::path standard = cell_set_folder();
  const TemporaryFolder folder;
  folder.write("mine.yaml", "# My cells.\nplacement: {step_mv: 99}\n");
  set_cell_set_folder(folder.path());
  const auto sets = list_cell_sets();
  const nand::CellParameters cells = cells_of("nand: {cells: {set: mine}}");
  set_cell_set_folder(standard);
  CHECK(sets == std::vector<std::pair<std::string, std::string>>{{"mine", "My cells."}});
  CHECK(cells.placement.step_mv == 99);
}
